import type { Project } from '../project/open.ts';
import { context } from '../projections/folds/context.ts';
import { evidence } from '../projections/folds/evidence.ts';
import { type RecallUseState, recallUse } from '../projections/folds/recall-use.ts';
import type { Cut } from '../projections/gather.ts';
import { choose } from './choose.ts';
import type { Item } from './item.ts';
import { findItems } from './items.ts';
import { Summary } from './missing.ts';
import { namesTold, withoutTold } from './name-items.ts';
import { usedOf } from './used.ts';
import { isWorthALine, type Weighed, withWorth } from './worth.ts';

/** A compaction: whose, where the state before it ends, and what was put in that state's place. */
export interface CompactionAsked {
  session: string;
  cut: Cut;
  summary: string;
  /** Where what happened after it ends: at the next compaction; absent for the newest. */
  until?: Cut;
}

export interface LostOptions extends CompactionAsked {
  /** What it is about, in one sentence. */
  about: string;
  /** Characters of the text, at most. */
  budget: number;
}

/** Something that was held before a compaction, and what became of it. */
export interface Fate {
  item: Weighed;
  /** The summary has all of it, not enough of its words, or has it without these of its paths, names and numbers. */
  fate: 'kept' | 'lost' | 'in part';
  missing: string[];
  /** Of the event by which ben10 gave it back; null when it did not. */
  givenBack: number | null;
  /** What of it the agent mentioned or used after it was given back. */
  used: string[];
}

export interface LostAccount {
  /** The most valuable first. */
  fates: Fate[];
  kept: number;
  /** Also those that were lost in part. */
  lost: number;
  givenBack: number;
  used: number;
  /** The newest event of the state before. */
  upto: number;
}

/** Item by item, what a compaction kept, what it dropped, what ben10 gave back, and what of that was used. */
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
  const items = withWorth(findItems(state, known)).filter(isWorthALine);
  const told = namesTold(items);
  return { items: items.flatMap((item) => withoutTold(item, told) ?? []), upto };
}

export interface Lost {
  /** Items that the summary does not have, the most valuable first, as far as the budget goes. */
  items: Item[];
  /** How many it does not have, and how many it has. */
  lost: number;
  told: number;
  /** Cleaned and fenced; empty when nothing was lost. */
  text: string;
}

/** What a compaction dropped, of what the journal still has, as a text to go on from. */
export function whatWasLost(project: Project, options: LostOptions): Lost {
  const { summary, about, budget } = options;
  const { items: held, upto } = heldBefore(project, options);
  const said = new Summary(summary);
  const lost = held.flatMap((item) => said.missing(item) ?? []);
  const { items, text } = choose(lost, budget, { about, upto, now: project.ports.clock.now() });
  return { items, lost: lost.length, told: held.length - lost.length, text };
}
