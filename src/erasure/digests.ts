import { decodeEvent } from '../events/decode.ts';
import { hasShape } from '../events/shape.ts';
import type {
  ContextMerged,
  EventSuperseded,
  FactEnriched,
  JournalEvent,
  RecallInjected,
  Trace,
  TranscriptRead,
} from '../events/types.ts';
import { allSegments } from '../journal/all-entries.ts';
import { decodeEnvelope, type Envelope } from '../journal/envelope.ts';
import { SUPERSEDED_TYPE } from '../journal/erase-events.ts';
import { homeOf } from '../journal/origins.ts';
import type { Project } from '../project/open.ts';
import type { FoundEvent } from './found.ts';

/** A reading of a transcript notes a digest of so many bytes before where it ended. */
const TAIL_BYTES = 256;

/** Types that have such digests, and what stands for one of them. */
const TELLING: ReadonlySet<string> = new Set([
  'recall.injected',
  'transcript.read',
  'context.merged',
  SUPERSEDED_TYPE,
]);

/**
 * The found events, and those that hold no word of what is erased but a digest without a salt of texts that may have it:
 * who guesses right could confirm it. These are the keys by which recall knows what it gave back, the ends of transcripts by
 * which reconciliation knows a file again, and the names of files' contents that a merge of a found event's session decided
 * about. The digest goes, also from what stands for a found event; the rest stays: something may be given back twice, a
 * transcript is read from its beginning once more, and what is in a merged file is not known until it is read again.
 * @param found of the same journal
 * @returns by seq
 */
export function withDigests(project: Project, found: readonly FoundEvent[]): FoundEvent[] {
  const origin = homeOf(project.ports, project.layout)?.origin;
  const own = new Map(found.filter((one) => one.origin === origin).map((one) => [one.seq, one]));
  if (origin === undefined || own.size === 0) return [...found];
  const places = new Places();
  const injected: Told[] = [];
  const readings: Told[] = [];
  const merges: Told[] = [];
  const sessions = new Set<string | null>();
  const firstSeq = [...own.keys()].reduce((least, seq) => Math.min(least, seq));
  for (const { seq, event, payload } of ownEvents(project, origin)) {
    places.saw(event, own.has(seq));
    if (own.has(seq)) sessions.add(sessionOf(event));
    if (!TELLING.has(event.type)) continue;
    const left = own.has(seq) ? own.get(seq)!.replacement : decodeEnvelope(payload);
    const told = left && toldBy(seq, left);
    if (told === undefined) continue;
    if (told.inner.type === 'recall.injected' && seq > firstSeq) injected.push(told);
    if (told.inner.type === 'transcript.read') readings.push(told);
    if (told.inner.type === 'context.merged' && hasHash(told)) merges.push(told);
  }
  const changed = [
    ...injected.map((told) => without(origin, told, withoutKeys)),
    ...places
      .covered(readings)
      .map((told) => without(origin, told, (data: TranscriptRead) => ({ ...data, tail: '' }))),
    ...merges
      .filter(({ inner }) => sessions.has(inner.session))
      .map((told) => without(origin, told, withoutHashes)),
  ];
  const known = new Map(found.map((one) => [placeOf(one), one]));
  for (const one of changed) {
    const { isDigest, ...more } = one;
    known.set(placeOf(one), known.has(placeOf(one)) ? more : one);
  }
  return [...known.values()].sort((a, b) => a.seq - b.seq);
}

const placeOf = ({ origin, seq }: FoundEvent): string => `${origin} ${seq}`;

/** What an event says, or what stands for an erased one does. */
interface Told {
  seq: number;
  envelope: Envelope;
  /** The envelope itself, or the one that stands for another. */
  inner: Envelope;
}

function toldBy(seq: number, envelope: Envelope): Told | undefined {
  if (!hasShape(envelope)) return undefined;
  if (envelope.type !== SUPERSEDED_TYPE) return { seq, envelope, inner: envelope };
  const inner = (envelope.data as EventSuperseded).event;
  return hasShape(inner) ? { seq, envelope, inner } : undefined;
}

function* ownEvents({ ports, layout, decoders }: Project, origin: string) {
  for (const { file, entries } of allSegments(ports, layout, decoders)) {
    if (file.origin !== origin) continue;
    for (const entry of entries) {
      const event = decodeEvent(entry);
      if (event === undefined) continue;
      yield { seq: entry.seq, event, payload: entry.payload };
    }
  }
}

const withoutKeys = (data: RecallInjected): RecallInjected => ({
  ...data,
  items: data.items.map((item) => ({ ...item, key: '' })),
});

const hasHash = ({ inner }: Told): boolean =>
  (inner.data as ContextMerged).files.some(({ hash }) => hash !== undefined);

const withoutHashes = (data: ContextMerged): ContextMerged => ({
  ...data,
  files: data.files.map(({ hash: _, bytes: __, ...file }) => file),
});

/** Of what it stands for, where an event stands for another. */
function sessionOf(event: JournalEvent): string | null {
  const isNested = event.type === SUPERSEDED_TYPE && hasShape(event);
  return (isNested ? (event.data as EventSuperseded).event : event).session;
}

function without<T>(
  origin: string,
  { seq, envelope, inner }: Told,
  change: (data: T) => T,
): FoundEvent {
  const event = { ...inner, data: change(inner.data as T) };
  const isNested = inner !== envelope;
  const data = isNested ? { ...(envelope.data as EventSuperseded), event } : event.data;
  const { type, at } = envelope;
  return { origin, seq, type, at, isDigest: true, replacement: { ...envelope, data } };
}

/** Where in which transcript the erased facts stand. */
class Places {
  /** By thread, byte offsets. */
  readonly #wanted = new Map<string, Set<number>>();
  readonly #ids = new Set<string>();
  /** Where later witnesses saw a fact, by its id: they come behind it. */
  readonly #told = new Map<string, { thread: string; pos: number }[]>();

  saw(event: JournalEvent, isTarget: boolean): void {
    if (event.type === 'fact.enriched' && hasShape(event)) {
      const { of, trace } = event.data as FactEnriched;
      if (trace === undefined) return;
      const place = { thread: threadOf(event), pos: trace.pos };
      this.#told.set(of, [...(this.#told.get(of) ?? []), place]);
      return;
    }
    if (!isTarget) return;
    this.#ids.add(event.id);
    const nested = event.type === 'event.superseded' && hasShape(event);
    const fact = nested ? (event.data as EventSuperseded).event : event;
    const { trace } = (fact.data ?? {}) as { trace?: Trace };
    if (typeof trace?.pos === 'number') this.#want(threadOf(fact), trace.pos);
  }

  #want(thread: string, pos: number): void {
    this.#wanted.set(thread, (this.#wanted.get(thread) ?? new Set()).add(pos));
  }

  /** Readings whose digest may cover one: those that ended where its record does, or a little behind. */
  covered(readings: readonly Told[]): Told[] {
    for (const id of this.#ids) {
      for (const { thread, pos } of this.#told.get(id) ?? []) this.#want(thread, pos);
    }
    const covered = new Set<Told>();
    for (const [thread, places] of this.#wanted) {
      const own = readings.filter(({ inner }) => threadOf(inner) === thread);
      for (const pos of places) {
        const behind = own.filter((one) => endOf(one) > pos);
        const first = Math.min(...behind.map(endOf));
        for (const one of behind) if (endOf(one) < first + TAIL_BYTES) covered.add(one);
      }
    }
    return [...covered];
  }
}

const endOf = ({ inner }: Told): number => (inner.data as TranscriptRead).to;
const threadOf = ({ session, agent }: Pick<Envelope, 'session' | 'agent'>): string =>
  JSON.stringify([session, agent]);
