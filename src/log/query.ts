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

/** What of the journal is asked for. Everything that is left out lets everything through. */
export interface LogQuery {
  /** Whole names; see `event-types.ts` for what people type. */
  types?: readonly string[];
  /** A whole session id. */
  session?: string;
  /** Milliseconds since the epoch, both inclusive; an event without a time of its own is not in any range. */
  since?: number;
  until?: number;
  /** Seqs, both inclusive. Events that wait for a seq come after all others. */
  from?: number;
  to?: number;
  /** Anything else; asked last. Must say the same of an event every time. */
  accepts?: (event: JournalEvent) => boolean;
  /** Only the newest so many of those that match. */
  limit?: number;
  /** Newest first. */
  reverse?: boolean;
  /** Takes down the damage that the reading meets. */
  unread?: Unread;
  /** Of who asks again and again: what it has read and found whole is not read once more. */
  integrityCache?: IntegrityCache;
}

export interface LogEvent extends JournalEvent {
  /** It lies in the inbox: its `seq` is 0 until somebody takes it into the journal. */
  waiting?: true;
}

/**
 * The events that match, in the order of the journal. Damage is passed over, and noted in `unread`; of events with the
 * same id, which are one fact told twice, only the first is there.
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
    // Their headers tell which ones: only those few are decoded.
    const reading = new LogReading(project, query);
    const entries =
      newestEntries(project, query, limit, query.integrityCache) ??
      keepLast(reading.entries(), limit);
    const events = entries.flatMap((entry) => reading.eventOf(entry) ?? []);
    // All but for a body that is none, and a type of the future whose tag is that of another.
    if (events.length === entries.length) return events;
  }
  return keepLast(new LogReading(project, query).all(), limit);
}

/** The last `limit` of many, without holding all of them. */
export function keepLast<T>(items: Iterable<T>, limit: number): T[] {
  const kept: T[] = [];
  // Many are dropped at once: shifting one by one would copy the list each time.
  const slack = Math.max(limit, 100);
  for (const item of items) {
    kept.push(item);
    if (kept.length >= limit + slack) kept.splice(0, kept.length - limit);
  }
  return limit < kept.length ? kept.slice(kept.length - limit) : kept;
}

/** One reading of the journal; `follow.ts` goes on with it where it ended. */
export class LogReading {
  readonly #project: Project;
  readonly #query: LogQuery;
  readonly #types: ReadonlySet<string> | undefined;
  readonly #tags: ReadonlySet<number> | undefined;
  /** Ids met so far. */
  readonly #seen = new IdSet();
  #next = 1;

  constructor(project: Project, query: LogQuery) {
    const { xxh64 } = project.ports;
    this.#project = project;
    this.#query = query;
    this.#types = query.types && new Set(query.types);
    this.#tags = query.types && new Set(query.types.map((type) => typeTag(type, xxh64)));
  }

  /** The highest seq that was read, whether it matched or not. */
  get lastSeq(): number {
    return this.#next - 1;
  }

  *all(): Generator<LogEvent> {
    for (const entry of this.entries()) {
      const event = this.eventOf(entry);
      if (event !== undefined) yield event;
    }
  }

  /** What has a seq, from where the last call ended. */
  *sequenced(): Generator<LogEvent> {
    for (const entry of this.#sequencedEntries()) {
      const event = this.eventOf(entry);
      if (event !== undefined) yield event;
    }
  }

  /** Entries that match by their headers; `eventOf` says whether they do by what is in them. */
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
    // From the very first: an event in the range may repeat one before it.
    for (const { entry, damage, segment } of this.#project.reader.entries(this.#next, to)) {
      if (damage !== undefined) this.#query.unread?.note(segment, damage);
      if (entry === undefined) continue;
      this.#next = entry.seq + 1;
      if (this.#isWanted(entry) && entry.seq >= from) yield entry;
    }
  }

  /** Must hear of every entry, to know the next one that repeats it. */
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
