import type { Project } from '../project/open.ts';
import { heldOf, memoryOf } from '../projections/compaction-memory.ts';
import { type ContextState, context } from '../projections/folds/context.ts';
import type { CursorsState } from '../projections/folds/cursors.ts';
import type { Cut } from '../projections/gather.ts';
import type { ChangedOnDisk, Item } from './item.ts';
import { Summary, summarySince } from './missing.ts';
import { namesStated, withoutStated } from './name-items.ts';
import { citedBy, type Heading } from './render.ts';
import { briefly, unrepeated } from './repeats.ts';
import { itemsOf, lastActive, sessionsBefore } from './sessions-before.ts';
import { isWorthALine, type Weighed, withWorth } from './worth.ts';

/** The occasion: a session's start, or the prompt after a compaction. */
export const RECALL_SOURCES = ['startup', 'resume', 'compact', 'clear', 'fork', 'prompt'] as const;
export type RecallSource = (typeof RECALL_SOURCES)[number];

/** The client restores the conversation itself, for a fork as a copy. */
export const bringsBack = (source: RecallSource): boolean =>
  source === 'resume' || source === 'fork';

export interface RecallOptions {
  source: RecallSource;
  /** The current session; by default the last active one. */
  session?: string;
  cut?: Cut;
  /** When ages count from; by default now. */
  now?: number;
  /** The setting `recall.maxChars`, an upper limit. */
  maxChars?: number;
  /** Characters taken by other texts. */
  beside?: number;
  /** Replaces both. */
  budget?: number;
  /** Whether the text at the session's start did not reach the model. */
  didNotLand?: () => boolean;
  /** Whether the model saw what the compaction was told to keep. */
  wasShown?: () => boolean;
  /** Finds known files that differ on disk. */
  onDisk?: (state: ContextState) => ChangedOnDisk[];
}

/** Why an item is not given, whatever the room. */
export type Withheld =
  | 'given already'
  | 'in the summary'
  | 'the client has it'
  | 'worth too little';

export interface Considered {
  item: Weighed;
  /** What is left to give; null for nothing. */
  offered: Item | null;
  withheld: Withheld | null;
}

export interface Moment {
  session: string;
  heading: Heading;
  considered: Considered[];
  /** What the session's start gave, or should have given, is offered again. */
  again: boolean;
}

/**
 * Everything to offer at a moment.
 * @param isExplained includes items that are withheld anyway
 * @returns undefined without a session, or for a prompt that is owed nothing
 */
export function momentOf(
  project: Project,
  options: RecallOptions,
  isExplained = false,
): Moment | undefined {
  const { source, cut = {} } = options;
  const own = source === 'compact' || source === 'prompt';
  const known = own || hasOwn(project, options) ? options.session : undefined;
  // Newest first; a new session may use several.
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
  // Items that the client has are only searched for to explain them.
  const isNothing = isOfDiskAlone && !isExplained && changed.length === 0;
  const items = withWorth(isNothing ? [] : itemsOf(project, all, end, changed));
  const isAnswered = memory?.owed === source && memory.heldUntil !== null;
  // Without a new summary the state need not be folded for it.
  const isTold = memory?.compactions.length !== state.conversation.compactionCount;
  const said = isAnswered && isTold ? summarySince(project, session, memory.heldUntil!, cut) : '';
  const summary = said === '' ? undefined : new Summary(said);
  // A prompt does not repeat the session's start.
  const given = new Set(source === 'prompt' && !again ? memory?.injected : []);
  const shown = new Set(memory?.owed === source ? shownBy(memory, options) : []);
  const before = items.filter(({ key }) => given.has(key) || shown.has(key));
  const told = namesStated(before);
  const lines = before.filter(({ text }) => text !== '').map(briefly);
  const considered = items.map((item): Considered => {
    if (given.has(item.key)) return { item, offered: null, withheld: 'given already' };
    // One line more is better than a model that looks for its task in vain.
    const isAsked = isOfDiskAlone
      ? changed.length > 0 && item.kind !== 'command'
      : item.kind === 'prompt';
    if (item.sure && isAsked) return { item, offered: item, withheld: null };
    if (shown.has(item.key) || (isOfDiskAlone && item.kind !== 'disk'))
      return { item, offered: null, withheld: 'the client has it' };
    if (!item.sure && !isWorthALine(item))
      return { item, offered: null, withheld: 'worth too little' };
    const left = unrepeated(item, lines);
    const rest = left && withoutStated(left, told);
    if (rest === null) return { item, offered: null, withheld: 'given already' };
    const offered = summary === undefined ? rest : summary.missing(rest);
    return { item, offered, withheld: offered === null ? 'in the summary' : null };
  });
  const heading = {
    about: aboutOf(source, all),
    upto: seq,
    now: options.now ?? project.ports.clock.now(),
    agesStated: {
      events: citedBy(before.filter(({ key }) => given.has(key))),
      now: memory?.heldUntil ?? 0,
    },
  };
  return { session, again, heading, considered };
}

/** A fork starts before its copy of the conversation is written: until then the session before it counts. */
function hasOwn({ states }: Project, { source, session, cut = {} }: RecallOptions): boolean {
  if (source !== 'fork' || session === undefined) return source === 'resume';
  return states.at(context, session, cut).state.conversation.messageCount > 0;
}

/** What the model has from the compaction itself. The start relies on the client's showing it; the prompt checks. */
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
