import type { Project } from '../project/open.ts';
import { estimateTokens } from '../projections/bounds.ts';
import { type ContextState, context } from '../projections/folds/context.ts';
import { type CursorsState, cursors } from '../projections/folds/cursors.ts';
import { evidence } from '../projections/folds/evidence.ts';
import { recentSessions, type SessionRecord, sessions } from '../projections/folds/sessions.ts';
import type { Cut } from '../projections/gather.ts';
import { comparePlaces, END } from '../projections/order.ts';
import { choose } from './choose.ts';
import { type ChangedOnDisk, findItems, type Item } from './items.ts';
import { withWorth } from './worth.ts';

/** Why something is given back: how a session started, or the prompt after a compaction. */
export const RECALL_SOURCES = ['startup', 'resume', 'compact', 'clear', 'fork', 'prompt'] as const;
export type RecallSource = (typeof RECALL_SOURCES)[number];

export interface Recall {
  chars: number;
  /** Estimated. */
  tokens: number;
  items: Item[];
  /** Exactly what a hook would inject; empty when there is nothing to say. */
  text: string;
  /** True when a compaction has to be answered, so that it is recorded even that there was nothing to say. */
  owed: boolean;
}

/**
 * What a moment calls for. The client cuts hook output at 10,000 characters; a compaction's two texts together leave
 * room for its own wrapper.
 */
export const RECALL_CHARS: Record<RecallSource, number> = {
  startup: 4000,
  clear: 4000,
  fork: 4000,
  // The client brings a resumed conversation back by itself: only what the disk has otherwise is told.
  resume: 1500,
  compact: 6000,
  // What a compaction's recall left over.
  prompt: 3000,
};

export interface RecallOptions {
  source: RecallSource;
  /** The session that is spoken to; by default the one that was active last. */
  session?: string;
  cut?: Cut;
  /** The setting `recall.maxChars`: it can only make shorter what the moment calls for. */
  maxChars?: number;
  /** Characters, in place of both. */
  budget?: number;
  /** Looks which known files the disk has otherwise; asked at a start and a resume, of the state that is given back. */
  onDisk?: (state: ContextState) => ChangedOnDisk[];
}

/**
 * What to give back at this moment, most valuable first, within the budget. With a prompt it is what a compaction is
 * still owed, and nothing when none is.
 */
export function recallText(project: Project, options: RecallOptions): Recall {
  const { source, cut = {} } = options;
  const own = source === 'compact' || source === 'prompt';
  const moment = RECALL_CHARS[source];
  const budget = options.budget ?? Math.min(options.maxChars ?? moment, moment);
  if (budget === 0) return nothing(false);
  const session =
    (own || source === 'resume' ? options.session : undefined) ??
    subject(project, options)?.session;
  if (session === undefined) return nothing(source === 'compact');
  const memory = own ? project.states.at(cursors, session, cut).state : undefined;
  if (source === 'prompt' && memory?.owed !== 'prompt') return nothing(false);
  const end = endOf(source, memory, cut);
  const { state, seq } = project.states.at(context, session, end);
  const known = project.states.at(evidence, session, end).state;
  // What was given at the session's start is not given with the prompt.
  const given = new Set(source === 'prompt' ? memory?.injected : []);
  const isStart = source === 'startup' || source === 'resume';
  const changed = isStart ? (options.onDisk?.(state) ?? []) : [];
  const all = withWorth(findItems(state, known, changed));
  const isOfDiskAlone = source === 'resume' && options.budget === undefined;
  const items = all.filter(
    ({ key, kind }) => !given.has(key) && (!isOfDiskAlone || kind === 'disk'),
  );
  const chosen = choose(items, budget, { about: aboutOf(source, session), upto: seq });
  if (chosen.items.length === 0) return nothing(own);
  const chars = chosen.text.length;
  return { chars, tokens: estimateTokens(chosen.text), ...chosen, owed: own };
}

const nothing = (owed: boolean): Recall => ({ chars: 0, tokens: 0, items: [], text: '', owed });

/**
 * Where what is given back ends. After a compaction it is what had happened before it, whenever the journal came to
 * know of that: transcripts lag, and the prompt that is being submitted is recorded already. A compaction that was
 * answered is over: asked then, it is what one of now would be given.
 */
function endOf(source: RecallSource, memory: CursorsState | undefined, cut: Cut): Cut {
  if (!memory || memory.owed !== source || memory.heldUntil === null) return cut;
  // Behind what a transcript has of that very moment.
  const held = { ...END, time: memory.heldUntil };
  const isEarlier = cut.before !== undefined && comparePlaces(cut.before, held) < 0;
  return isEarlier ? cut : { ...cut, before: held };
}

/**
 * The session whose context is given back: its own after a compaction, the one before at a fresh start. What is
 * behind the cut has no say in it.
 */
function subject(
  project: Project,
  { source, session, cut = {} }: RecallOptions,
): SessionRecord | undefined {
  const own = source === 'compact' || source === 'prompt';
  const isMeant = own
    ? (one: SessionRecord) => session === undefined || one.session === session
    : (one: SessionRecord) => one.session !== session && one.prompts + one.toolCalls > 0;
  for (const projection of [recentSessions, sessions]) {
    const { state } = project.states.at(projection, null, cut);
    const known = Object.values(state.sessions).sort((a, b) => a.lastAt - b.lastAt);
    const found = known.findLast(isMeant);
    // All there are.
    if (found !== undefined || known.length === state.count) return found;
  }
  return undefined;
}

function aboutOf(source: RecallSource, session: string): string {
  if (source === 'compact') return 'What this session held before its compaction.';
  if (source === 'prompt') return 'More of what this session held before its compaction.';
  if (source === 'resume') return 'This session goes on.';
  return `What the session before this one (${session.slice(0, 8)}) held.`;
}
