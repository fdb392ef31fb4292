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

/** A name given with an item if there is room. */
export interface Extra {
  text: string;
  worth: number;
}

/** Something to give back, and the event that shows it. */
export interface Found {
  kind: Kind;
  text: string;
  seq: number;
  cites?: number[];
  /** Milliseconds since the epoch; 0 when unknown. */
  at: number;
  /** Time of the cited event, when `at` is a later result's. */
  citedAt?: number;
  /** Weight within its kind, before recency: 1 is normal. */
  weight?: number;
  /** How often later work used what it names. */
  reuse?: number;
  /** Most valuable first. */
  extras?: Extra[];
  /** Has its place whatever else there is: the user's last prompt, and one command. Cut in the middle if it is long. */
  sure?: true;
  /** Short form for little room; statements get it from `brief.ts`. */
  brief?: string;
  /** Identifies it across sessions when the text has more than the statement. */
  identity?: string;
}

export interface Item extends Found {
  /** Kind, event, and a number if there are several; prevents giving it twice. */
  key: string;
  worth: number;
  /** The event of the line that covers it, if any. */
  inLineOf?: number;
}

/** A known file that differs on disk. */
export interface ChangedOnDisk {
  path: string;
  status: 'changed' | 'deleted';
  /** Of the event in which the journal last saw it. */
  seq: number;
  at: number;
}

/** Chronological, because late events bring old facts. */
export const byTime = (a: Pick<Item, 'at' | 'seq'>, b: Pick<Item, 'at' | 'seq'>): number =>
  a.at - b.at || a.seq - b.seq;
