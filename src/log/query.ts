import { decodeEvent } from '../events/decode.ts';
import type { JournalEvent } from '../events/types.ts';
import { typeTag } from '../journal/format/envelope.ts';
import { FRAME_KIND } from '../journal/format/format.ts';
import type { Entry } from '../journal/format/frame.ts';
import { IdSet } from '../journal/read/id-map.ts';
import type { IntegrityCache } from '../journal/read/integrity-cache.ts';
import type { Project } from '../project/open.ts';
import { newestEntries } from './newest.ts';
import type { Unread } from './unreadable.ts';

/** A filter; what is left out matches everything. */
export interface LogQuery {
  /** Whole names; see `event-types.ts`. */
  types?: readonly string[];
  session?: string;
  /** Milliseconds since the epoch, inclusive; events without a time never match. */
  since?: number;
  until?: number;
  /** Seqs, inclusive. Events in the inbox come last. */
  from?: number;
  to?: number;
  /** Asked last; must be deterministic. */
  accepts?: (event: JournalEvent) => boolean;
  /** Only the newest. */
  limit?: number;
  reverse?: boolean;
  unread?: Unread;
  /** Remembers what a lasting process has checked. */
  integrityCache?: IntegrityCache;
}

export interface LogEvent extends JournalEvent {
  /** In the inbox: `seq` is 0 until it is appended. */
  waiting?: true;
}

/**
 * The matching events in order. Damage goes to `unread`; of events with the same id only the first counts.
 * @throws Ben10Error JOURNAL_FOREIGN, FS_PERMISSION_DENIED
 */
export function* queryLog(project: Project, query: LogQuery = {}): Generator<LogEvent> {
  if (query.limit === undefined && query.reverse !== true) {
    yield* new LogReading(project, query).all();
    return;
  }
  const newest = newestOf(project, query, query.limit ?? Number.POSITIVE_INFINITY);
  yield* query.reverse === true ? newest.reverse() : newest;
}

function newestOf(project: Project, query: LogQuery, limit: number): LogEvent[] {
  const { session, since, until, accepts } = query;
  const isAsked = [session, since, until, accepts].some((one) => one !== undefined);
  if (!isAsked) {
    // Headers are enough to find the few that are decoded.
    const reading = new LogReading(project, query);
    const entries =
      newestEntries(project, query, limit, query.integrityCache) ??
      keepLast(reading.entries(), limit);
    const events = entries.flatMap((entry) => reading.eventOf(entry) ?? []);
    // Except for an unreadable body, or equal tags of different types.
    if (events.length === entries.length) return events;
  }
  return keepLast(new LogReading(project, query).all(), limit);
}

/** The last `limit` items, without holding all. */
export function keepLast<T>(items: Iterable<T>, limit: number): T[] {
  const kept: T[] = [];
  // Removing one by one would copy the list each time.
  const slack = Math.max(limit, 100);
  for (const item of items) {
    kept.push(item);
    if (kept.length >= limit + slack) kept.splice(0, kept.length - limit);
  }
  return limit < kept.length ? kept.slice(kept.length - limit) : kept;
}

/** One reading of the journal, which `follow.ts` can continue. */
export class LogReading {
  readonly #project: Project;
  readonly #query: LogQuery;
  readonly #types: ReadonlySet<string> | undefined;
  readonly #tags: ReadonlySet<number> | undefined;
  readonly #seen = new IdSet();
  #next = 1;

  constructor(project: Project, query: LogQuery) {
    const { xxh64 } = project.ports;
    this.#project = project;
    this.#query = query;
    this.#types = query.types && new Set(query.types);
    this.#tags = query.types && new Set(query.types.map((type) => typeTag(type, xxh64)));
  }

  get lastSeq(): number {
    return this.#next - 1;
  }

  *all(): Generator<LogEvent> {
    for (const entry of this.entries()) {
      const event = this.eventOf(entry);
      if (event !== undefined) yield event;
    }
  }

  /** Events with a seq, from where the last call ended. */
  *sequenced(): Generator<LogEvent> {
    for (const entry of this.#sequencedEntries()) {
      const event = this.eventOf(entry);
      if (event !== undefined) yield event;
    }
  }

  /** Entries whose headers match; `eventOf` checks the content. */
  *entries(): Generator<Entry> {
    yield* this.#sequencedEntries();
    if (this.#query.to !== undefined) return;
    for (const { id, typeTag: tag, payload } of this.#project.reader.inbox()) {
      const entry = { kind: FRAME_KIND.event, seq: 0, id, typeTag: tag, payload } as Entry;
      if (this.#isWanted(entry)) yield entry;
    }
  }

  *#sequencedEntries(): Generator<Entry> {
    const { from = 1, to } = this.#query;
    // From the start: an event may repeat one before the range.
    for (const { entry, damage, segment } of this.#project.reader.entries(this.#next, to)) {
      if (damage !== undefined) this.#query.unread?.note(segment, damage);
      if (entry === undefined) continue;
      this.#next = entry.seq + 1;
      if (this.#isWanted(entry) && entry.seq >= from) yield entry;
    }
  }

  /** Must see every entry to recognise repetitions. */
  #isWanted({ kind, id, typeTag: tag }: Entry): boolean {
    if (!this.#seen.add(id)) return false;
    return kind === FRAME_KIND.event && this.#tags?.has(tag) !== false;
  }

  eventOf(entry: Entry): LogEvent | undefined {
    const event = decodeEvent(entry);
    if (event === undefined || !this.#matches(event)) return undefined;
    return entry.seq === 0 ? Object.assign(event, { waiting: true as const }) : event;
  }

  #matches(event: JournalEvent): boolean {
    const { type, session, at } = event;
    const { session: wanted, since, until, accepts } = this.#query;
    if (this.#types?.has(type) === false) return false;
    if (wanted !== undefined && session !== wanted) return false;
    if (since !== undefined && (at === null || at < since)) return false;
    if (until !== undefined && (at === null || at > until)) return false;
    return accepts === undefined || accepts(event);
  }
}
