import * as z from 'zod';
import { integrityCacheOf } from '../../journal/read/integrity-cache.ts';
import { journalRange } from '../../journal/read/range.ts';
import { withBlobs } from '../../log/blobs.ts';
import { findEvent } from '../../log/find.ts';
import { type LogEvent, type LogQuery, queryLog } from '../../log/query.ts';
import { summaryOf } from '../../log/summary.ts';
import { expandTypes, parseTime } from '../../log/typed.ts';
import { Unread } from '../../log/unreadable.ts';
import { Ben10Error } from '../../platform/errors.ts';
import type { Project } from '../../project/open.ts';
import { readEvents } from '../../projections/events.ts';
import { indexOf } from '../../search/keep-up.ts';
import { resolvePoint } from '../../timetravel/resolve.ts';
import { findSession } from '../../timetravel/sessions.ts';
import { dataAnswer, QUOTED } from '../answer.ts';
import { encodeCursor, PAGED, pageAsked } from '../cursor.ts';
import { PAGE_BYTES } from '../limits.ts';
import { matchesPage } from '../matches-page.ts';
import { pinned } from '../pin.ts';
import { fitted, isoTime, jsonBytes, withShortTexts } from '../shorten.ts';
import { defineTool, READ_ONLY } from '../tool.ts';
import { tellUnreadable } from '../unreadable.ts';

const NAME = 'ben10_log';
const LIMIT_DEFAULT = 30;
const MATCHES_DEFAULT = 10;
const NOTHING = 'Nothing matches. Try fewer or other words, and leave out filters.';
export const LIMIT_MAX = 200;
/** Of one event in a list: about a dozen fit on a page. Its envelope has at most 1,500. */
const EVENT_BYTES_MAX = 2_000;

const own = z.strictObject({
  query: z.string().optional().describe('Words, "a phrase", -word, path:x, kind:edit.'),
  types: z
    .array(z.string())
    .optional()
    .describe('Such as prompt.submitted, tool.failed, or a family: tool.'),
  session: z.string().optional().describe('An id or its start.'),
  since: z.string().optional().describe('An age (2h, 3d) or an ISO time.'),
  until: z.string().optional(),
  after: z.string().optional().describe('A point: only events after it.'),
  upto: z.string().optional().describe('A point: only events up to it.'),
  order: z.enum(['newest', 'oldest']).optional(),
  detail: z.enum(['summary', 'data']).optional().describe('A line an event, or its data.'),
  limit: z.int().min(1).max(LIMIT_MAX).optional(),
  seq: z.int().min(1).optional().describe('Only this event, whole.'),
});
const input = own.extend(PAGED);
type Input = z.infer<typeof own>;

export const logTool = defineTool({
  name: NAME,
  title: 'Look up what happened',
  description:
    'Lists what happened in this and earlier sessions: prompts, tool calls with results, failures, compactions. Call it to find what was said, run or edited before, above all after a compaction. Newest first; best first with a query.',
  annotations: READ_ONLY,
  input,
  output: z.looseObject({
    note: z.string(),
    events: z.array(z.looseObject({ seq: z.int(), type: z.string() })).optional(),
    matches: z.array(z.string()).optional(),
    unreadable: z.looseObject({ events: z.int().nullable() }).optional(),
    nextCursor: z.string().optional(),
  }),
  ahead(project, asked) {
    const { query } = pageAsked(NAME, own, asked).args;
    if (query !== undefined) return [indexOf(project).steps()];
    return [integrityCacheOf(project.ports, project.reader).steps()];
  },
  run(asked, { project }) {
    if (asked.seq !== undefined) return oneEvent(project, asked.seq);
    const { args, position } = pageAsked(NAME, own, asked);
    const answer = args.query === undefined ? page : pageOfMatches;
    return dataAnswer({ note: QUOTED, ...answer(project, args, position) });
  },
});

function oneEvent(project: Project, seq: number) {
  const event = findEvent(project, String(seq));
  const whole = wholeOf(event, withBlobs(project, event.data), PAGE_BYTES);
  return dataAnswer({ note: QUOTED, events: [whole] });
}

/** @param skip how many events the earlier pages had, counted from a fixed end */
function page(project: Project, args: Input, skip: number): object {
  const { limit = LIMIT_DEFAULT, order = 'newest', detail = 'summary' } = args;
  // One more, to know whether there is a next page.
  const count = skip + limit + 1;
  const query = queryOf(project, args);
  const newest = order === 'newest' ? { reverse: true, limit: count } : {};
  const unread = new Unread();
  const integrityCache = integrityCacheOf(project.ports, project.reader);
  const found = firstOf(queryLog(project, { ...query, ...newest, unread, integrityCache }), count);
  const damaged = tellUnreadable(unread.of(project, query.to));
  // Events in the inbox are the newest of all, and only on the first page.
  const waiting = order === 'newest' ? found.filter((event) => event.waiting === true) : [];
  const candidates = [...waiting, ...found.slice(waiting.length + skip)];
  const shown = candidates.map((event) =>
    detail === 'data' ? wholeOf(event, event.data, EVENT_BYTES_MAX) : lineOf(event),
  );
  const events = asManyAsFit(shown, limit);
  if (events.length === shown.length) return { events, ...damaged };
  const position = skip + Math.max(0, events.length - waiting.length);
  const end = found[waiting.length]?.seq ?? resolvePoint(project, undefined).seq;
  const next = { ...args, ...fixed(args, query, order === 'newest' ? end : undefined) };
  return { events, ...damaged, nextCursor: encodeCursor(NAME, next, position) };
}

/** @param skip how many matches the earlier pages had */
function pageOfMatches(project: Project, args: Input, skip: number): object {
  const { query = '', limit = MATCHES_DEFAULT, upto } = args;
  if (args.order !== undefined || args.detail === 'data')
    throw new Ben10Error('USAGE', 'a query gives lines, the best first: no order, no data', {
      next: 'Leave out order and detail; for the data of one match call ben10_log with its seq.',
    });
  const asked = queryOf(project, { ...args, upto: undefined });
  const point = resolvePoint(project, upto, { session: asked.session });
  const { from, ...filters } = asked;
  const after = from === undefined ? {} : { after: from - 1 };
  const found = matchesPage(project, {
    ...{ ...filters, ...after, query, point, skip, limit },
    without: runningPrompt(project),
  });
  const matches = asManyAsFit(found.matches, limit);
  const { of, near, nowhere, isMore } = found;
  const { unwritten } = indexOf(project);
  const answer = {
    matches,
    of,
    ...(near.length > 0 && { near }),
    ...(nowhere.length > 0 && of > 0 && { onlyPartsOf: nowhere }),
    ...(of === 0 && { hint: NOTHING }),
    ...(unwritten && { index: unwritten }),
  };
  if (!isMore && matches.length === found.matches.length) return answer;
  // A time stays a time, so that both pages are cut alike.
  const end = /^@(?:head|-\d+)$/.test(point.text) ? `@${point.seq}` : point.text;
  const next = { ...args, ...fixed(args, asked, undefined), upto: end };
  return { ...answer, nextCursor: encodeCursor(NAME, next, skip + matches.length) };
}

/** Events of a turn among which its prompt is looked for: a look through the whole journal takes longer than the search. */
const TURN_EVENTS = 500;

/** The prompt that is being answered has the words of the question, and is no answer to it. */
function runningPrompt({ ports, reader }: Project): number | undefined {
  const { last } = journalRange(ports, reader);
  const types = ['prompt.submitted', 'turn.ended'];
  const asked = { from: Math.max(1, last - TURN_EVENTS), types };
  const newest = [...readEvents(reader, ports.xxh64, asked)].at(-1);
  const { type, source, seq } = newest ?? {};
  return type === 'prompt.submitted' && /hook$/.test(source ?? '') ? seq : undefined;
}

/** Arguments relative to now, made absolute for the next page. */
function fixed(args: Input, { from, since, until }: LogQuery, end: number | undefined): object {
  return {
    ...(end === undefined ? {} : { upto: pinned(args.upto, end) }),
    ...(from === undefined ? {} : { after: pinned(args.after, from - 1) }),
    ...(since === undefined ? {} : { since: new Date(since).toISOString() }),
    ...(until === undefined ? {} : { until: new Date(until).toISOString() }),
  };
}

function firstOf(events: Iterable<LogEvent>, count: number): LogEvent[] {
  const taken: LogEvent[] = [];
  for (const event of events) if (taken.push(event) >= count) break;
  return taken;
}

function asManyAsFit<T extends object | string>(shown: readonly T[], limit: number): T[] {
  let left = PAGE_BYTES;
  const fit = shown.findIndex((event, index) => {
    left -= jsonBytes(event) + 1;
    return index >= limit || left < 0;
  });
  return shown.slice(0, fit === -1 ? shown.length : fit);
}

const SESSION_CHARS = 8;
const NAME_CHARS = 200;
/** One event of a list, with a summary. */
function lineOf(event: LogEvent): object {
  const { seq, at, type, session, agent, waiting } = event;
  const line = {
    seq,
    time: isoTime(at),
    type,
    ...(session === null ? {} : { session: session.slice(0, SESSION_CHARS) }),
    ...(agent === null ? {} : { agent }),
    ...(waiting === true ? { waiting } : {}),
  };
  return { ...withShortTexts(line, NAME_CHARS), about: summaryOf(event) };
}

/** One event with as much of its data as fits. */
function wholeOf(event: LogEvent, data: unknown, bytes: number): object {
  // Not a spread: the fields are getters, which decode on demand.
  const { seq, id, at, type, version, session, agent, client, source, waiting } = event;
  const named = { seq, id, at, type, version, session, agent, client, source };
  const envelope = withShortTexts(named, NAME_CHARS);
  const { value } = fitted(data, bytes - jsonBytes(envelope));
  return { ...envelope, ...(waiting === true ? { waiting } : {}), data: value };
}

function queryOf(
  project: Project,
  { types = [], session, since, until, after, upto }: Input,
): LogQuery {
  const now = project.ports.clock.now();
  const seqOf = (point: string, edge: 'from' | 'to') => resolvePoint(project, point, { edge }).seq;
  return {
    ...(types.length === 0 ? {} : { types: expandTypes(types) }),
    ...(session === undefined ? {} : { session: findSession(project, session) }),
    ...(since === undefined ? {} : { since: parseTime(since, now, 'from') }),
    ...(until === undefined ? {} : { until: parseTime(until, now, 'to') }),
    ...(after === undefined ? {} : { from: seqOf(after, 'from') + 1 }),
    ...(upto === undefined ? {} : { to: seqOf(upto, 'to') }),
  };
}
