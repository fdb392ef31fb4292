import { decodeEvent } from '../events/decode.ts';
import { hasShape } from '../events/shape.ts';
import type {
  EventSuperseded,
  FactEnriched,
  JournalEvent,
  RecallInjected,
  Trace,
  TranscriptRead,
} from '../events/types.ts';
import { allSegments } from '../journal/all-entries.ts';
import { decodeEnvelope, type Envelope } from '../journal/envelope.ts';
import type { Entry } from '../journal/frame.ts';
import { homeOf } from '../journal/origins.ts';
import type { Project } from '../project/open.ts';
import type { FoundEvent } from './found.ts';

/** A reading of a transcript notes a digest of so many bytes before where it ended. */
const TAIL_BYTES = 256;

/**
 * Events that hold no word of what is erased, but a digest without a salt of texts that may have it: who guesses right
 * could confirm it. These are the keys by which recall knows what it gave back, and the ends of transcripts by which
 * reconciliation knows a file again. The digest goes, the rest of the event stays: something may be given back twice, and
 * a transcript is read from its beginning once more.
 * @param found of the same journal
 */
export function digestsOf(project: Project, found: readonly FoundEvent[]): FoundEvent[] {
  const origin = homeOf(project.ports, project.layout)?.origin;
  const targets = new Set(found.filter((one) => one.origin === origin).map(({ seq }) => seq));
  if (origin === undefined || targets.size === 0) return [];
  const places = new Places();
  const injected: Entry[] = [];
  const readings: Entry[] = [];
  const firstSeq = Math.min(...targets);
  for (const { entry, event } of ownEvents(project, origin)) {
    places.saw(event, targets.has(entry.seq));
    if (targets.has(entry.seq) || !hasShape(event)) continue;
    if (event.type === 'recall.injected' && entry.seq > firstSeq) injected.push(entry);
    if (event.type === 'transcript.read') readings.push(entry);
  }
  const ended = readings.map((entry) => ({ entry, event: decodeEvent(entry)! }));
  const telling = places.covered(ended as { entry: Entry; event: JournalEvent<TranscriptRead> }[]);
  return [
    ...injected.map((entry) => without(origin, entry, withoutKeys)),
    ...telling.map((entry) =>
      without(origin, entry, (data: TranscriptRead) => ({ ...data, tail: '' })),
    ),
  ];
}

function* ownEvents({ ports, layout, decoders }: Project, origin: string) {
  for (const { file, entries } of allSegments(ports, layout, decoders)) {
    if (file.origin !== origin) continue;
    for (const entry of entries) {
      const event = decodeEvent(entry);
      if (event !== undefined) yield { entry, event };
    }
  }
}

const withoutKeys = (data: RecallInjected): RecallInjected => ({
  ...data,
  items: data.items.map((item) => ({ ...item, key: '' })),
});

function without<T>(origin: string, entry: Entry, change: (data: T) => T): FoundEvent {
  const envelope: Envelope = decodeEnvelope(entry.payload);
  const replacement = { ...envelope, data: change(envelope.data as T) };
  const { type, at } = envelope;
  return { origin, seq: entry.seq, type, at, isDigest: true, replacement };
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
  covered(readings: { entry: Entry; event: JournalEvent<TranscriptRead> }[]): Entry[] {
    for (const id of this.#ids) {
      for (const { thread, pos } of this.#told.get(id) ?? []) this.#want(thread, pos);
    }
    const covered = new Set<Entry>();
    for (const [thread, places] of this.#wanted) {
      const own = readings.filter(({ event }) => threadOf(event) === thread);
      for (const pos of places) {
        const behind = own.filter(({ event }) => event.data.to > pos);
        const first = Math.min(...behind.map(({ event }) => event.data.to));
        for (const { entry, event } of behind) {
          if (event.data.to < first + TAIL_BYTES) covered.add(entry);
        }
      }
    }
    return [...covered];
  }
}

const threadOf = ({ session, agent }: Pick<JournalEvent, 'session' | 'agent'>): string =>
  JSON.stringify([session, agent]);
