import type { Project } from '../project/open.ts';
import { heldOf, memoryOf } from '../projections/compaction-memory.ts';
import { type ContextState, context } from '../projections/folds/context.ts';
import type { CursorsState } from '../projections/folds/cursors.ts';
import type { Cut } from '../projections/gather.ts';
import type { ChangedOnDisk, Item } from './item.ts';
import { diskItems } from './items.ts';
import { Summary } from './missing.ts';
import { namesTold, withoutTold } from './name-items.ts';
import { citedBy, type Heading } from './render.ts';
import { briefly, unrepeated } from './repeats.ts';
import { itemsOf, lastActive, sessionsBefore } from './sessions-before.ts';
import { summarySince } from './summary.ts';
import { isWorthALine, type Weighed, withWorth } from './worth.ts';

/** Why something is given back: how a session started, or the prompt after a compaction. */
export const RECALL_SOURCES = ['startup', 'resume', 'compact', 'clear', 'fork', 'prompt'] as const;
export type RecallSource = (typeof RECALL_SOURCES)[number];

/** The client brings the conversation back by itself: of the session, or as a copy under another id. */
export const bringsBack = (source: RecallSource): boolean =>
  source === 'resume' || source === 'fork';

export interface RecallOptions {
  source: RecallSource;
  /** The session that is spoken to; by default the one that was active last. */
  session?: string;
  cut?: Cut;
  /** The setting `recall.maxChars`: it can only make shorter what the moment calls for. */
  maxChars?: number;
  /** Characters of another text that goes to the model with it. */
  beside?: number;
  /** Characters, in place of both. */
  budget?: number;
  /** Whether what the session's start gave did not reach the model, so that it is given with the prompt; asked where one is owed. */
  didNotLand?: () => boolean;
  /** Whether the model was shown what the compaction was told to keep; asked where its client does that. */
  wasShown?: () => boolean;
  /** Looks which known files the disk has otherwise; asked at a start and a resume, of the state that is given back. */
  onDisk?: (state: ContextState) => ChangedOnDisk[];
}

/** Why an item is not given at this moment, whatever room there is. */
export type Withheld =
  | 'given already'
  | 'in the summary'
  | 'the client has it'
  | 'worth too little';

export interface Considered {
  item: Weighed;
  /** With the names that are still to be given; null when nothing of it is. */
  offered: Item | null;
  withheld: Withheld | null;
}

/** What could be given back at a moment, and what it is about. */
export interface Moment {
  session: string;
  heading: Heading;
  considered: Considered[];
  /** True when what the session's start gave, or should have, is on offer. */
  again: boolean;
}

/**
 * Everything that the moment has to offer.
 * @param isExplained also what is withheld because of the moment, whatever it is
 * @returns undefined when there is no session to speak of, or a prompt that no compaction is owed
 */
export function momentOf(
  project: Project,
  options: RecallOptions,
  isExplained = false,
): Moment | undefined {
  const { source, cut = {} } = options;
  const own = source === 'compact' || source === 'prompt';
  const known = own || hasOwn(project, options) ? options.session : undefined;
  // Newest first; of a fresh start there can be several.
  const all =
    known !== undefined
      ? [known]
      : own
        ? lastActive(project, cut)
        : sessionsBefore(project, options.session, cut);
  const [session] = all;
  if (session === undefined) return undefined;
  const memory = own ? memoryOf(project.states, session, cut) : undefined;
  if (source === 'prompt' && memory?.owed !== 'prompt') return undefined;
  const end = heldOf(source, memory, cut);
  const { state, seq } = project.states.at(context, session, end);
  const goesOn = bringsBack(source);
  const isStart = source === 'startup' || goesOn;
  const worked = all.length === 1 ? state : project.states.at(context, all.at(-1)!, end).state;
  const changed = isStart ? (options.onDisk?.(worked) ?? []) : [];
  const isOfDiskAlone = goesOn && options.budget === undefined;
  const again =
    source === 'prompt' && (memory?.unanswered === true || options.didNotLand?.() === true);
  // What the client has anyway is not looked for, unless somebody asks why it is not given.
  const items = withWorth(
    isOfDiskAlone && !isExplained ? diskItems(state, changed) : itemsOf(project, all, end, changed),
  );
  const isAnswered = memory?.owed === source && memory.heldUntil !== null;
  // A summary that nobody has told yet is not looked for in a state that would have to be folded for it.
  const isTold = memory?.compactions.length !== state.conversation.compactionCount;
  const said = isAnswered && isTold ? summarySince(project, session, memory.heldUntil!, cut) : '';
  const summary = said === '' ? undefined : new Summary(said);
  // What was given at the session's start is not given with the prompt.
  const given = new Set(source === 'prompt' && !again ? memory?.injected : []);
  const shown = new Set(memory?.owed === source ? shownBy(memory, options) : []);
  const before = items.filter(({ key }) => given.has(key) || shown.has(key));
  const told = namesTold(before);
  const lines = before.filter(({ text }) => text !== '').map(briefly);
  const considered = items.map((item): Considered => {
    if (given.has(item.key)) return { item, offered: null, withheld: 'given already' };
    if (shown.has(item.key) || (isOfDiskAlone && item.kind !== 'disk'))
      return { item, offered: null, withheld: 'the client has it' };
    if (!isWorthALine(item)) return { item, offered: null, withheld: 'worth too little' };
    const left = unrepeated(item, lines);
    const rest = left && withoutTold(left, told);
    if (rest === null) return { item, offered: null, withheld: 'given already' };
    const offered = summary === undefined ? rest : summary.missing(rest);
    return { item, offered, withheld: offered === null ? 'in the summary' : null };
  });
  const heading = {
    about: aboutOf(source, all),
    upto: seq,
    now: project.ports.clock.now(),
    // Right behind the compaction.
    agesTold: {
      events: citedBy(before.filter(({ key }) => given.has(key))),
      now: memory?.heldUntil ?? 0,
    },
  };
  return { session, again, heading, considered };
}

/** A fork starts before its copy of the older conversation is written: until that was read it is known by the session before it. */
function hasOwn({ states }: Project, { source, session, cut = {} }: RecallOptions): boolean {
  if (source !== 'fork' || session === undefined) return source === 'resume';
  return states.at(context, session, cut).state.conversation.messageCount > 0;
}

/**
 * What the model has from the compaction itself. Its client shows it only after the session's start: that relies on it, and the
 * prompt gives what was not shown after all.
 */
function shownBy({ shown, owed }: CursorsState, { wasShown }: RecallOptions): string[] {
  if (shown === null || shown.length === 0) return [];
  return owed === 'compact' || wasShown?.() === true ? shown : [];
}

function aboutOf(source: RecallSource, [session, ...older]: readonly string[]): string {
  if (source === 'compact') return 'Held before the compaction.';
  if (source === 'prompt') return 'More of what it held.';
  if (bringsBack(source)) return 'This session goes on.';
  const which = `${session!.slice(0, 8)}${older.length === 0 ? '' : ', then older ones'}`;
  return `What the session${older.length === 0 ? '' : 's'} before this one (${which}) held.`;
}
