import { hasShape } from '../events/shape.ts';
import type {
  ContextMerged,
  ContextRestored,
  EnvironmentTold,
  EventSuperseded,
  FactEnriched,
  JournalEvent,
  RecallInjected,
  SnapshotAnnotated,
  SnapshotCreated,
  Trace,
  TranscriptRead,
} from '../events/types.ts';
import { SUPERSEDED_TYPE } from '../journal/erase/events.ts';
import { decodeEnvelope, type Envelope } from '../journal/format/envelope.ts';
import { homeOf } from '../journal/read/origins.ts';
import type { Project } from '../project/open.ts';
import { BASED_TYPE } from './based.ts';
import type { FoundEvent } from './found.ts';
import { retractionsWithout } from './retracted-keys.ts';
import { innerEventOf, ownEvents, retold, type Told, toldBy } from './told.ts';

/** A reading of a transcript notes a digest of so many bytes before where it ended. */
const TAIL_BYTES = 256;

/** What is told of states and texts that were made of all events before: digests and lengths of them. */
const MADE_OF_EARLIER: Readonly<Record<string, (data: never) => object>> = {
  'recall.injected': (data: RecallInjected) => ({
    ...data,
    chars: 0,
    items: data.items.map((item) => ({ ...item, key: '' })),
  }),
  'snapshot.created': (data: SnapshotCreated) => ({
    ...data,
    contentHash: '',
    plainBytes: 0,
    bytes: 0,
  }),
  'snapshot.annotated': (data: SnapshotAnnotated) =>
    data.contentHash === undefined ? data : { ...data, contentHash: '' },
  'context.restored': (data: ContextRestored) => ({ ...data, chars: 0 }),
  'environment.told': (data: EnvironmentTold) => ({ ...data, chars: 0 }),
};

/** Types that have such digests, and what stands for one of them. */
const TELLING: ReadonlySet<string> = new Set([
  ...Object.keys(MADE_OF_EARLIER),
  'transcript.read',
  'context.merged',
  'preference.retracted',
  SUPERSEDED_TYPE,
]);

/**
 * The found events, and those that hold no word of what is erased but a digest without a salt, or the length, of texts that
 * may have it: who guesses right could confirm it. These are the keys by which recall knows what it gave back, and by which a
 * preference was taken back; the ends of transcripts by which reconciliation knows a file again; the names of files' contents
 * that a merge of a found event's session decided about; the sum of a state that was stored as a snapshot; and how long it was
 * what was given of states. The digest goes, also from what stands for a found event; the rest stays: something may be given
 * back twice, a transcript is read from its beginning once more, what is in a merged file is not known until it is read again,
 * and a snapshot's file has its own checksums until its state is stored anew.
 * @param found of the same journal
 * @param read the text of a blob; undefined when it is missing or damaged
 * @returns by seq
 */
export function withDigests(
  project: Project,
  found: readonly FoundEvent[],
  read: (name: string) => string | undefined = () => undefined,
): FoundEvent[] {
  const origin = homeOf(project.ports, project.layout)?.origin;
  const own = new Map(found.filter((one) => one.origin === origin).map((one) => [one.seq, one]));
  if (origin === undefined || own.size === 0) return [...found];
  const places = new Places();
  const later: Told[] = [];
  const readings: Told[] = [];
  const merges: Told[] = [];
  const retractions: Told[] = [];
  const sessions = new Set<string | null>();
  let firstSeq = Number.POSITIVE_INFINITY;
  for (const { seq, event, payload } of ownEvents(project, origin)) {
    places.saw(event, own.has(seq));
    const { type, session } = innerEventOf(event);
    if (own.has(seq)) {
      sessions.add(session);
      // A state that stands for dropped events is of before whatever is left.
      firstSeq = Math.min(firstSeq, type === BASED_TYPE ? 0 : seq);
    }
    if (!TELLING.has(event.type)) continue;
    const left = own.has(seq) ? own.get(seq)!.replacement : decodeEnvelope(payload);
    const told = left && toldBy(seq, left);
    if (told === undefined) continue;
    if (told.inner.type in MADE_OF_EARLIER) later.push(told);
    if (told.inner.type === 'transcript.read') readings.push(told);
    if (told.inner.type === 'context.merged') merges.push(told);
    if (told.inner.type === 'preference.retracted') retractions.push(told);
  }
  const changed = [
    ...later
      .filter(({ seq }) => seq > firstSeq)
      .map((told) => retold(origin, told, bare(told.inner))),
    ...places
      .covered(readings)
      .map((told) => retold(origin, told, { ...(told.inner.data as TranscriptRead), tail: '' })),
    ...merges
      .filter(({ inner }) => sessions.has(inner.session))
      .map((told) => retold(origin, told, withoutHashes(told.inner.data as ContextMerged))),
    ...retractionsWithout(project, origin, own, retractions, read),
  ];
  const known = new Map(found.map((one) => [placeOf(one), one]));
  for (const one of changed) {
    if (one === undefined) continue;
    const { isDigest, ...more } = one;
    known.set(placeOf(one), known.has(placeOf(one)) ? more : one);
  }
  return [...known.values()].sort((a, b) => a.seq - b.seq);
}

const placeOf = ({ origin, seq }: FoundEvent): string => `${origin} ${seq}`;

const bare = ({ type, data }: Envelope): object => MADE_OF_EARLIER[type]!(data as never);

const withoutHashes = (data: ContextMerged): ContextMerged => ({
  ...data,
  files: data.files.map(({ hash: _, bytes: __, ...file }) => file),
});

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
