import type { Project } from '../project/open.ts';
import { fieldOf, headOf } from '../projections/bounds.ts';
import { context } from '../projections/folds/context.ts';
import { evidence } from '../projections/folds/evidence.ts';
import { type RecallUseState, recallUse } from '../projections/folds/recall-use.ts';
import type { Cut } from '../projections/gather.ts';
import { referencesIn } from '../projections/references.ts';
import { contained, oneLine } from '../projections/safe-text.ts';
import { choose } from './choose.ts';
import type { Item } from './item.ts';
import { findItems } from './items.ts';
import { Summary } from './missing.ts';
import { namesStated, withoutStated } from './name-items.ts';
import { ageOfItem } from './render.ts';
import { isWorthALine, type Weighed, withWorth } from './worth.ts';

/** A compaction: the session, the end of the state before it, and its summary. */
export interface CompactionAsked {
  session: string;
  cut: Cut;
  summary: string;
  /** The next compaction; absent for the newest. */
  until?: Cut;
}

interface LostOptions extends CompactionAsked {
  /** A sentence for the heading. */
  about: string;
  budget: number;
}

/** Something known before a compaction, and what became of it. */
export interface Fate {
  item: Weighed;
  /** The summary has all of it, too few of its words, or all but some names. */
  fate: 'kept' | 'lost' | 'in part';
  missing: string[];
  /** The event that gave it back. */
  givenBack: number | null;
  /** What the agent used of it since. */
  used: string[];
}

export interface LostAccount {
  /** Most valuable first. */
  fates: Fate[];
  kept: number;
  /** Includes what was lost in part. */
  lost: number;
  givenBack: number;
  used: number;
  /** The newest event before the compaction. */
  upto: number;
}

/** What a compaction kept and dropped, what ben10 gave back, and what of that was used. */
export function lostAccount(project: Project, asked: CompactionAsked): LostAccount {
  const { items, upto } = heldBefore(project, asked);
  const summary = new Summary(asked.summary);
  const { state: use } = project.states.at(recallUse, asked.session, asked.until ?? {});
  const fates = items.map((item) => fateOf(item, summary, use));
  fates.sort((a, b) => b.item.worth - a.item.worth || b.item.seq - a.item.seq);
  const count = (is: (fate: Fate) => boolean) => fates.filter(is).length;
  return {
    fates,
    kept: count(({ fate }) => fate === 'kept'),
    lost: count(({ fate }) => fate !== 'kept'),
    givenBack: count(({ givenBack }) => givenBack !== null),
    used: count(({ used }) => used.length > 0),
    upto,
  };
}

function fateOf(item: Weighed, summary: Summary, use: RecallUseState): Fate {
  const rest = summary.missing(item);
  const says = summary.says(item.text);
  const own = rest !== null && says ? summary.unnamed(item.text) : [];
  const missing = [...new Set([...own, ...(rest?.extras ?? []).map(({ text }) => text)])];
  const isPart = says && missing.length > 0;
  const fate = rest === null ? 'kept' : isPart ? 'in part' : 'lost';
  const given = use.given.find(({ keys }) => keys.includes(item.key));
  const used = given === undefined ? [] : usedOf(item, use, given.seq);
  return { item, fate, missing, givenBack: given?.seq ?? null, used };
}

function heldBefore(
  project: Project,
  { session, cut }: CompactionAsked,
): { items: Weighed[]; upto: number } {
  const { state, seq: upto } = project.states.at(context, session, cut);
  const known = project.states.at(evidence, session, cut).state;
  const items = withWorth(findItems(project, state, known)).filter(isWorthALine);
  const told = namesStated(items);
  return { items: items.flatMap((item) => withoutStated(item, told) ?? []), upto };
}

export interface Lost {
  /** Items missing from the summary, most valuable first, within the budget. */
  items: Item[];
  /** How many are missing, and how many are not. */
  lost: number;
  told: number;
  /** Cleaned and fenced; empty when nothing was lost. */
  text: string;
}

/** What a compaction dropped, as a text to continue from. */
export function whatWasLost(project: Project, options: LostOptions): Lost {
  const { summary, about, budget } = options;
  const { items: held, upto } = heldBefore(project, options);
  const said = new Summary(summary);
  // Asked for what is missing, nothing else has its place.
  const lost = held.flatMap(({ sure: _, ...item }) => said.missing(item) ?? []);
  const { items, text } = choose(lost, budget, { about, upto, now: project.ports.clock.now() });
  return { items, lost: lost.length, told: held.length - lost.length, text };
}

/** Names of an item that the agent used after `since`: paths, names, numbers of three digits or more. */
export function usedOf(
  { text, extras = [] }: Item,
  { said }: RecallUseState,
  since: number,
): string[] {
  const own = [text, ...extras.map((extra) => extra.text)].join(' ');
  const names = [...referencesIn(own)].filter(
    ([name, { kind }]) => kind !== 'number' || name.replace(/\D/g, '').length >= 3,
  );
  return names.map(([name]) => name).filter((name) => (fieldOf(said, name) ?? 0) > since);
}

const TEXT_CHARS = 200;
const NAMES_MAX = 8;

const named = (names: readonly string[]): string => {
  const more = names.length - NAMES_MAX;
  const shown = names.slice(0, NAMES_MAX).map(oneLine).join(' ');
  return more > 0 ? `${shown} and ${more} more` : shown;
};

/** `kept`, `lost` or `in part`, the item, its age, and where it came back. @param now milliseconds since the epoch */
export function fateLine({ item, fate, missing, givenBack, used }: Fate, now: number): string {
  const { kind, text, seq } = item;
  const what = text === '' ? 'names' : headOf(oneLine(contained(text)), TEXT_CHARS);
  const age = ageOfItem(item, now);
  const gone = missing.length === 0 ? '' : `; without ${contained(named(missing))}`;
  const back = givenBack === null ? '' : `; given back by @${givenBack}`;
  const use = used.length === 0 ? '' : `; used: ${contained(named(used))}`;
  return `${fate.padEnd(7)}  ${kind.padEnd(10)}  @${seq} ${age === '' ? '' : `${age} `}${what}${gone}${back}${use}`;
}

export const lostHead = ({ kept, lost, givenBack, used }: LostAccount): string =>
  `${kept} kept, ${lost} lost or in part, ${givenBack} given back, ${used} of these used since`;
