import type { ContextRestored } from '../events/types.ts';
import { journalRange } from '../journal/read/range.ts';
import { Ben10Error } from '../platform/errors.ts';
import { randomHex } from '../platform/random.ts';
import type { Project } from '../project/open.ts';
import { estimateTokens } from '../projections/bounds.ts';
import { type ContextState, context, undoesClear } from '../projections/folds/context.ts';
import { contained, fence, oneLine } from '../projections/safe-text.ts';
import { withoutExcluded } from '../projections/without-excluded.ts';
import { append } from './append.ts';
import { giveFull, RESTORE_PARTS, type RestorePart } from './give.ts';
import { giveSummary } from './give-summary.ts';
import { lostTo } from './lost-states.ts';
import { contextAt } from './replay.ts';
import { type ResolvedPoint, resolvePoint } from './resolve.ts';
import type { SaveOptions } from './saves.ts';
import { earlierWork } from './sessions.ts';
import { askedPoint } from './stored-points.ts';
import { type Loaded, loadStored } from './stored-state.ts';
import { shown, timeText } from './text.ts';
import { withWholeTexts } from './whole-texts.ts';

export const RESTORE_MODES = ['full', 'summary', 'selective'] as const;
export type RestoreMode = (typeof RESTORE_MODES)[number];

export interface RestoreOptions {
  /** A save's name; or `point`. Without either, and without a session, the newest state with work in it. */
  name?: string | undefined;
  point?: string | undefined;
  mode: RestoreMode;
  /** For a selective restore. */
  parts?: readonly RestorePart[] | undefined;
  /** For the summary, or each page, with its frame. */
  budgetTokens?: number | undefined;
  page?: number | undefined;
  session?: string | undefined;
  source?: SaveOptions['source'];
}

export interface Restored {
  point: { seq: number; at: number | null };
  session: string;
  /** Cleaned and fenced, because it quotes recorded text. */
  text: string;
  page: number;
  pages: number;
  /** Of the text, estimated. */
  tokens: number;
  /** False in a read-only project. */
  recorded: boolean;
  /** Remarks on the state, also part of the text. */
  notes: string[];
}

const EARLIER = 'This is the last session with work in it: the newest has only begun.';
const SHORTENED = 'Text ending in … is cut; for all of event @N: ben10 show N --full.';
const MANY_PAGES = 'A larger budget gives fewer pages.';
/** For room that stays the same while the journal grows, so that no page shifts between two requests. */
const SEQ_MAX = 999_999_999;
/** More pages than anybody reads. */
const PAGES_MANY = 20;
/** Least room for the content, however long the frame. */
const ROOM_TOKENS_MIN = 40;

export const SUMMARY_TOKENS_DEFAULT = 2_000;
/** Clients accept this without a warning. */
export const PAGE_TOKENS_DEFAULT = 7_000;
export const BUDGET_TOKENS_MIN = 200;
/** A tool's answer must stay below 25,000. */
export const BUDGET_TOKENS_MAX = 20_000;

/**
 * A state as text for the model or a person to continue from. No project file changes; the request is recorded as an event.
 * @throws Ben10Error POINT_INVALID, POINT_NOT_FOUND, CONTEXT_NOT_FOUND when nothing was recorded yet, USAGE for an invalid budget or
 * page
 */
export function restore(project: Project, options: RestoreOptions): Restored {
  const { mode, page = 1 } = options;
  const budget = budgetOf(options);
  const parts = partsOf(options);
  const asked = askedPoint(project, options);
  const earlier =
    asked === undefined && options.session === undefined ? earlierWork(project) : undefined;
  const resolved = resolvePoint(project, asked, { session: options.session ?? earlier });
  const { state: recorded, session, point, notes: told } = stateAt(project, resolved);
  const state = withoutExcluded(recorded, project.excludedBy);
  const notes = earlier === undefined ? [...told] : [EARLIER, ...told];
  if (session === null) {
    throw lostTo(project, { projection: 'context', session }) ?? nothingAt(project, resolved);
  }
  const now = project.states.at(context, session).state;
  if (undoesClear(now, { mode, upto: point.seq }))
    notes.push(`This undoes the clear after event @${now.cleared!.upto}.`);
  else if (state.cleared !== null && state.conversation.messageCount === 0)
    notes.push(
      `The context was cleared; restore @${state.cleared.upto} to bring back what was before.`,
    );
  const heading = (n: number, pages: number, more: string[], seq = point.seq) =>
    [headingOf(resolved.text, { ...point, seq }, session, n, pages), ...notes, ...more].join(' ');
  const bare =
    mode === 'summary' ? heading(1, 1, []) : heading(999, 999, [MANY_PAGES, SHORTENED], SEQ_MAX);
  const room = Math.max(ROOM_TOKENS_MIN, budget - estimateTokens(wrap(project, bare, '')));
  // What is left of a text decides, not its beginning.
  const whole = () =>
    withoutExcluded(
      withWholeTexts(project, state, { session, upto: point.seq }),
      project.excludedBy,
    );
  const pages =
    mode === 'summary'
      ? [summaryWithin(project, state, bare, { room, budget })]
      : giveFull(whole(), {
          session,
          tokensPerPage: room,
          parts,
        });
  const given = pages[page - 1];
  if (!Number.isInteger(page) || given === undefined) {
    throw new Ben10Error('USAGE', `there is no page ${page}`, { next: `Use 1 to ${pages.length}` });
  }
  const more = [
    ...(pages.length > PAGES_MANY && budget < PAGE_TOKENS_DEFAULT ? [MANY_PAGES] : []),
    ...(mode !== 'summary' && given.includes('…') ? [SHORTENED] : []),
  ];
  const text = wrap(project, heading(page, pages.length, more), given);
  const isRecorded = note(
    project,
    session,
    { point: resolved.text, mode, chars: text.length, upto: point.seq },
    options.source,
  );
  return {
    point,
    session,
    text,
    page,
    pages: pages.length,
    tokens: estimateTokens(text),
    recorded: isRecorded,
    notes,
  };
}

/** The fence may change the text's size, so the budget is reduced until all fits. */
function summaryWithin(
  project: Project,
  state: ContextState,
  heading: string,
  { room, budget }: { room: number; budget: number },
): string {
  for (let tokens = room; ; ) {
    const given = giveSummary(state, tokens);
    const over = estimateTokens(wrap(project, heading, given)) - budget;
    if (over <= 0 || over >= tokens) return given;
    tokens -= over;
  }
}

/** A stored state is used only for its own session. */
function stateAt(project: Project, resolved: ResolvedPoint): Loaded {
  const { stored, session } = resolved;
  if (stored !== undefined && stored.session === session) return loadStored(project, stored);
  const replayed = contextAt(project, resolved);
  const lost = lostTo(project, replayed);
  return { ...replayed, notes: lost === undefined ? [] : [`${lost.code}: ${lost.message}.`] };
}

/** Before the first session, or in an empty journal. */
function nothingAt(project: Project, { text, seq }: ResolvedPoint): Ben10Error {
  const place = { file: project.layout.journal };
  if (journalRange(project.ports, project.reader).last > seq)
    return new Ben10Error('CONTEXT_NOT_FOUND', `nothing was recorded before ${text}`, {
      place,
      next: 'Use a later point, such as @head; ben10 log lists events',
    });
  return new Ben10Error(
    'CONTEXT_NOT_FOUND',
    'there is nothing to restore: no session was recorded yet',
    { place, next: 'Work in the client with ben10 installed, or run: ben10 import' },
  );
}

function partsOf({ mode, parts }: RestoreOptions): readonly RestorePart[] | undefined {
  const names = Object.keys(RESTORE_PARTS).join(', ');
  if (mode !== 'selective' && parts !== undefined) {
    throw new Ben10Error('USAGE', `a ${mode} restore gives everything and takes no parts`, {
      next: 'Use the mode selective, or leave the parts out',
    });
  }
  if (mode !== 'selective') return undefined;
  if (parts === undefined || parts.length === 0) {
    throw new Ben10Error('USAGE', 'a selective restore needs parts to give', {
      next: `Use some of: ${names}`,
    });
  }
  const unknown = parts.find((part) => !Object.hasOwn(RESTORE_PARTS, part));
  if (unknown === undefined) return parts;
  throw new Ben10Error('USAGE', `there is no part "${oneLine(String(unknown)).slice(0, 60)}"`, {
    next: `Use some of: ${names}`,
  });
}

function budgetOf({ mode, budgetTokens }: RestoreOptions): number {
  const byMode = mode === 'summary' ? SUMMARY_TOKENS_DEFAULT : PAGE_TOKENS_DEFAULT;
  const budget = budgetTokens ?? byMode;
  if (Number.isInteger(budget) && budget >= BUDGET_TOKENS_MIN && budget <= BUDGET_TOKENS_MAX) {
    return budget;
  }
  throw new Ben10Error('USAGE', `a budget of ${budget} tokens is not possible`, {
    next: `Use ${BUDGET_TOKENS_MIN} to ${BUDGET_TOKENS_MAX}`,
  });
}

/** Cleaned, because ids and names come from outside. */
function headingOf(
  text: string,
  { seq, at }: Restored['point'],
  session: string,
  page: number,
  pages: number,
): string {
  const when = at === null ? '' : `, ${timeText(at)}`;
  const what = contained(
    `Context of session ${shown(session, 60)} at ${text} (event @${seq}${when}), from the journal of ben10.`,
  );
  return pages > 1 ? `${what} Page ${page} of ${pages}.` : what;
}

/** A new nonce each time, so no recorded text contains it. */
const wrap = ({ ports }: Project, heading: string, body: string): string =>
  `${heading}\n${fence(body, randomHex(ports.random, 8))}`;

/** A read-only project can be restored, without the event. */
function note(
  project: Project,
  session: string,
  data: ContextRestored,
  source: SaveOptions['source'],
): boolean {
  try {
    append(project, 'context.restored', session, data, source);
    return true;
  } catch (error) {
    if (error instanceof Ben10Error) return false;
    throw error;
  }
}
