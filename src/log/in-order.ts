import { isQuiet } from '../events/catalogue.ts';
import type { Trace } from '../events/types.ts';
import type { Project } from '../project/open.ts';
import { readEvents } from '../projections/events.ts';
import { comparePlaces, type Place, placeOf } from '../projections/order.ts';
import { isObject } from '../projections/tools-text.ts';
import { joined, type LogLine } from './joined.ts';
import { type LogEvent, type LogQuery, LogReading } from './query.ts';

export interface Listing {
  /** In the order in which they happened. */
  lines: Iterable<LogLine>;
  /** Quiet ones that were left out among them, and whether there are earlier ones. */
  quiet: number;
  isCut: boolean;
}

/** What is quiet is listed if it is asked for: all, or its type. `isJoined`: a call and its outcome are one line. */
export type ListQuery = LogQuery & { isAll?: boolean; isJoined?: boolean };

export const isListed = (event: LogEvent, { isAll, types }: ListQuery): boolean =>
  isAll === true || types !== undefined || !isQuiet(event);

/** An event that may be listed, by its own time; `kind` says why it was read. */
interface Row {
  seq: number;
  time: number;
  kind: 'listed' | 'quiet' | 'beside';
  waiting?: LogEvent;
}

const ENRICHED = 'fact.enriched';
/** Events whose exact places are compared: witnesses of one moment differ by less. */
const NEAR = 300;
/** A gap in the numbers that is read over. */
const GAP = 64;

/**
 * The matching events in history order: a transcript's place where it is known, else the time. In two passes, because an import can
 * bring what happened long ago: first all events' times, then those that are shown, so that a page holds little in memory.
 * @param query.limit keeps the newest lines
 */
export function inOrder(project: Project, query: ListQuery): Listing {
  const { limit = Number.POSITIVE_INFINITY } = query;
  const { rows, listed } = rowsOf(project, query, limit);
  const events = placed(project, rows);
  if (limit === Number.POSITIVE_INFINITY) {
    const quiet = rows.filter(({ kind }) => kind === 'quiet').length;
    return { lines: linesOf(listedOf(events), query), quiet, isCut: false };
  }
  const all = [...events];
  const lines = [...linesOf(listedOf(all), query)];
  const page = lines.slice(-limit);
  const isCut = page.length < lines.length || all.filter(isShown).length < listed;
  const start = isCut ? all.findIndex(({ event }) => event === page[0]?.event) : 0;
  const quiet = all.slice(start).filter(({ kind }) => kind === 'quiet').length;
  return { lines: page, quiet, isCut };
}

const isShown = ({ kind }: { kind: Row['kind'] }): boolean => kind === 'listed';

function* linesOf(events: Iterable<LogEvent>, { isJoined }: ListQuery): Generator<LogLine> {
  if (isJoined === true) yield* joined(events);
  else for (const event of events) yield { event };
}

function* listedOf(events: Iterable<PlacedEvent>): Generator<LogEvent> {
  for (const one of events) if (isShown(one)) yield one.event;
}

/** Rows by their own time, with those of enrichments, which tell places. */
function rowsOf(project: Project, query: ListQuery, limit: number) {
  const { types, accepts, ...rest } = query;
  const wanted = types && new Set(types);
  const most = 2 * (limit + NEAR);
  let rows: Row[] = [];
  let listed = 0;
  let time = 0;
  for (const event of new LogReading(project, rest).all()) {
    time = event.at ?? time;
    const isWanted = wanted?.has(event.type) !== false && accepts?.(event) !== false;
    if (!isWanted && event.type !== ENRICHED) continue;
    const kind = !isWanted ? 'beside' : isListed(event, query) ? 'listed' : 'quiet';
    if (kind === 'listed') listed += 1;
    const waiting = event.waiting === true ? { waiting: event } : {};
    rows.push({ seq: event.seq, time, kind, ...waiting });
    if (rows.length >= 4 * most) rows = newestOf(rows, most);
  }
  return { rows: newestOf(rows, most), listed };
}

function newestOf(rows: Row[], limit: number): Row[] {
  rows.sort((a, b) => a.time - b.time || a.seq - b.seq);
  let shown = 0;
  const start = rows.findLastIndex(({ kind }) => kind === 'listed' && ++shown === limit);
  return start > 0 ? rows.slice(start) : rows;
}

interface PlacedEvent {
  place: Place;
  event: LogEvent;
  kind: Row['kind'];
}

/** Rows with their events, by their exact places. */
function* placed(project: Project, rows: readonly Row[]): Generator<PlacedEvent> {
  const near: PlacedEvent[] = [];
  for (let start = 0; start < rows.length; start += 2 * NEAR) {
    const part = rows.slice(start, start + 2 * NEAR);
    near.push(...eventsOf(project, part));
    learnPlaces(near);
    near.sort((a, b) => comparePlaces(a.place, b.place) || a.event.seq - b.event.seq);
    const isLast = start + part.length >= rows.length;
    yield* near.splice(0, isLast ? near.length : Math.max(0, near.length - NEAR));
  }
}

function* eventsOf(project: Project, rows: readonly Row[]): Generator<PlacedEvent> {
  const { reader, ports } = project;
  const bySeq = new Map<number, Row>();
  for (const row of rows) {
    if (row.waiting === undefined) bySeq.set(row.seq, row);
    // After all that has a number.
    else yield { event: row.waiting, kind: row.kind, place: placeOfRow(row, row.waiting) };
  }
  const seqs = [...bySeq.keys()].sort((a, b) => a - b);
  for (let n = 0; n < seqs.length; ) {
    const from = seqs[n]!;
    let to = from;
    while (n < seqs.length && seqs[n]! - to <= GAP) to = seqs[n++]!;
    for (const event of readEvents(reader, ports.xxh64, { from, to })) {
      const row = bySeq.get(event.seq);
      if (row !== undefined) yield { event, kind: row.kind, place: placeOfRow(row, event) };
    }
  }
}

function placeOfRow({ time, seq }: Row, { agent, data }: LogEvent): Place {
  const trace = isObject(data) ? traceIn(data) : undefined;
  const place = placeOf({ at: time, agent, seq, trace } as Parameters<typeof placeOf>[0]);
  return seq === 0 ? { ...place, time: Number.POSITIVE_INFINITY } : place;
}

function traceIn({ trace }: Record<string, unknown>): Trace | undefined {
  const isTrace = isObject(trace) && Number.isFinite(trace.pos);
  return isTrace && (trace.time === undefined || Number.isFinite(trace.time))
    ? (trace as Trace)
    : undefined;
}

/** What a hook saw has its place in the transcript from its enrichment. */
function learnPlaces(events: readonly PlacedEvent[]): void {
  const places = new Map<unknown, Place>();
  for (const { event, place } of events)
    if (event.type === ENRICHED && place.rank === 0 && isObject(event.data))
      places.set(event.data.of, place);
  for (const one of events) one.place = places.get(one.event.id) ?? one.place;
}
