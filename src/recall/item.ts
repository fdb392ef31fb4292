/** The sections of a recall. */
export const KINDS = [
  'rule',
  'task',
  'disk',
  'error',
  'correction',
  'prompt',
  'decision',
  'finding',
  'file',
  'command',
  'subagent',
  'mention',
] as const;
export type Kind = (typeof KINDS)[number];

/** A name that an item is given with, as far as there is room. */
export interface Extra {
  text: string;
  worth: number;
}

/** Something that could be given back, with the event that proves it. */
export interface Found {
  kind: Kind;
  text: string;
  seq: number;
  /** Further events that show it. */
  cites?: number[];
  /** Milliseconds since the epoch; 0 where it is not known. */
  at: number;
  /** Of the event that it cites, where `at` is of what came of it later. */
  citedAt?: number;
  /** 0 to 1 within its kind, before recency counts: who said it, whether it is open, how much it names. */
  weight?: number;
  /** How much later work came back to what it names, 0 and up. */
  reuse?: number;
  /** The most valuable first. */
  extras?: Extra[];
  /** Its text where there is more to tell than room; what is said gets it by `brief.ts`. */
  brief?: string;
  /** What it is told apart by in other sessions, where its text has more than what was said. */
  identity?: string;
}

export interface Item extends Found {
  /** Names it by its kind and event, and a number where that gives several: it is not given twice. */
  key: string;
  /** What it is worth; see `worth.ts`. */
  worth: number;
  /** The event of the line that tells it, where that is another one's. */
  inLineOf?: number;
}

/** A known file that the disk has otherwise than the journal. */
export interface ChangedOnDisk {
  path: string;
  status: 'changed' | 'deleted';
  /** Of the event in which the journal last saw it. */
  seq: number;
  at: number;
}

/** The order in which things happened: late witnesses bring old things. */
export const byTime = (a: Pick<Item, 'at' | 'seq'>, b: Pick<Item, 'at' | 'seq'>): number =>
  a.at - b.at || a.seq - b.seq;
