import type { ContextRestored } from '../events/types.ts';
import { journalRange } from '../journal/read/range.ts';
import { Ben10Error } from '../platform/errors.ts';
import { randomHex } from '../platform/random.ts';
import type { Project } from '../project/open.ts';
import { estimateTokens } from '../projections/bounds.ts';
import { type ContextState, context, undoesClear } from '../projections/folds/context.ts';
import { contained, fence, oneLine } from '../projections/safe-text.ts';
import { append } from './append.ts';
import { askedPoint } from './asked-point.ts';
import { earlierWork } from './earlier-work.ts';
import { giveFull, RESTORE_PARTS, type RestorePart } from './give.ts';
import { giveSummary } from './give-summary.ts';
import { lostTo } from './lost-states.ts';
import { contextAt } from './replay.ts';
import { type ResolvedPoint, resolvePoint } from './resolve.ts';
import type { SaveOptions } from './saves.ts';
import { type Loaded, loadStored } from './stored-state.ts';
import { shown, timeText } from './text.ts';
import { withWholeTexts } from './whole-texts.ts';

export const RESTORE_MODES = ['full', 'summary', 'selective'] as const;
export type RestoreMode = (typeof RESTORE_MODES)[number];

export interface RestoreOptions {
  /** Of a save; or else `point`. With neither, nor a session, it is the newest state that has work in it. */
  name?: string | undefined;
  point?: string | undefined;
  mode: RestoreMode;
  /** What a selective restore gives. */
  parts?: readonly RestorePart[] | undefined;
  /** Of a summary, or of each page of the full state; the fence and its heading included. */
  budgetTokens?: number | undefined;
  /** From 1. */
  page?: number | undefined;
  session?: string | undefined;
  source?: SaveOptions['source'];
}

export interface Restored {
  point: { seq: number; at: number | null };
  session: string;
  /** Cleaned and fenced: it is quoted, not said by ben10. */
  text: string;
  page: number;
  pages: number;
  /** Of the text, estimated. */
  tokens: number;
  /** False when nothing can be written here: then it is no event. */
  recorded: boolean;
  /** How a stored state was come by, where it was not simply read; they stand in the text's heading, too. */
  notes: string[];
}

const EARLIER = 'It is the last one with work in it: the newest session has only begun.';

const SHORTENED = 'What has … is cut: ben10 show N --full has all of event @N.';
const MANY_PAGES = 'A larger budget makes fewer pages.';
/** More pages than somebody turns. */
const PAGES_MANY = 20;
/** Where what is to be said of a state takes nearly all of a small budget, this much is given all the same. */
const ROOM_TOKENS_MIN = 40;

export const SUMMARY_TOKENS_DEFAULT = 2_000;
/** A page that a client takes without a warning. */
export const PAGE_TOKENS_DEFAULT = 7_000;
/** Less says nothing. */
export const BUDGET_TOKENS_MIN = 200;
/** A tool's answer must stay below 25,000. */
export const BUDGET_TOKENS_MAX = 20_000;

/**
 * A state as text, for the model or a person to go on from. It writes no files of the project's and takes nothing
 * back; that it was asked for is an event.
 * @throws Ben10Error POINT_INVALID, POINT_NOT_FOUND, CONTEXT_NOT_FOUND when nothing was recorded yet, USAGE for a
 * budget or page that cannot be
 */
export function restore(project: Project, options: RestoreOptions): Restored {
  const { mode, page = 1 } = options;
  const budget = budgetOf(options);
  const parts = partsOf(options);
  const asked = askedPoint(project, options);
  const earlier =
    asked === undefined && options.session === undefined ? earlierWork(project) : undefined;
  const whose = options.session ?? earlier;
  const resolved = resolvePoint(project, asked, whose === undefined ? {} : { session: whose });
  const { state, session, point, notes: told } = stateAt(project, resolved);
  const notes = earlier === undefined ? [...told] : [EARLIER, ...told];
  if (session === null) {
    throw lostTo(project, { projection: 'context', session }) ?? nothingAt(project, resolved);
  }
  const now = project.states.at(context, session).state;
  if (undoesClear(now, { mode, upto: point.seq }))
    notes.push(`This undoes the clear behind event @${now.cleared!.upto}.`);
  else if (state.cleared !== null && state.conversation.messageCount === 0)
    notes.push(`It was cleared: restoring @${state.cleared.upto} brings back what was before.`);
  const heading = (n: number, pages: number, more: string[]) =>
    [headingOf(resolved.text, point, session, n, pages), ...notes, ...more].join(' ');
  const bare = mode === 'summary' ? heading(1, 1, []) : heading(999, 999, [MANY_PAGES, SHORTENED]);
  const room = Math.max(ROOM_TOKENS_MIN, budget - estimateTokens(wrap(project, bare, '')));
  const pages =
    mode === 'summary'
      ? [summaryWithin(project, state, bare, { room, budget })]
      : giveFull(withWholeTexts(project, state, { session, upto: point.seq }), {
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
  const recorded = note(
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
    recorded,
    notes,
  };
}

/** What keeps text apart from what surrounds it may take room of its own: then a little less is told. */
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

/** What is stored is believed only of its own session: another's state at the same event is folded. */
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
    return new Ben10Error('CONTEXT_NOT_FOUND', `nothing had been recorded yet at ${text}`, {
      place,
      next: 'Use a later point: @head is the newest; ben10 log lists them',
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
    throw new Ben10Error('USAGE', `a ${mode} restore gives everything, and takes no parts`, {
      next: 'Use the mode selective, or leave the parts out',
    });
  }
  if (mode !== 'selective') return undefined;
  if (parts === undefined || parts.length === 0) {
    throw new Ben10Error('USAGE', 'a selective restore has to be told what to give', {
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
  throw new Ben10Error('USAGE', `a budget of ${budget} tokens cannot be kept`, {
    next: `Use ${BUDGET_TOKENS_MIN} to ${BUDGET_TOKENS_MAX}`,
  });
}

/** What stands before the fence: the session's id and the point's name are others' words, too. */
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

/** The nonce is new each time, so that nothing recorded before can have it. */
const wrap = ({ ports }: Project, heading: string, body: string): string =>
  `${heading}\n${fence(body, randomHex(ports.random, 8))}`;

/** Reading works where nothing can be written; then the note is all that is missing. */
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
