import { encodeEvent } from '../../../src/events/encode.ts';
import { fact, factId } from '../../../src/events/identity.ts';
import type {
  EventData,
  EventType,
  JournalEvent,
  Source,
  Trace,
} from '../../../src/events/types.ts';
import { JournalWriter } from '../../../src/journal/append/writer.ts';
import { layoutOf } from '../../../src/journal/format/layout.ts';
import { JournalReader } from '../../../src/journal/read/reader.ts';
import { lz4Codec } from '../../../src/platform/codecs/lz4.ts';
import { nodeFs } from '../../../src/platform/fs.ts';
import { CheckpointStore } from '../../../src/projections/checkpoints.ts';
import type { Fact, Projection } from '../../../src/projections/contract.ts';
import { States } from '../../../src/projections/states.ts';
import { decoders, realPorts, scratch } from '../../support.ts';

export const T0 = Date.parse('2026-11-21T10:00:00Z');

/** An id as a journal's are: different from the first bytes on. */
export const idOf = (n: number): string =>
  n.toString(16).padStart(8, '0').padEnd(16, '0').repeat(2);

interface Who {
  session?: string | null;
  agent?: string | null;
  source?: Source;
  at?: number | null;
}

/** An event as it would be read from a journal. */
export function event<T extends EventType>(
  seq: number,
  type: T,
  data: EventData[T],
  who: Who & { id?: string; version?: number } = {},
): JournalEvent {
  return {
    seq,
    id: idOf(seq),
    type,
    version: type === 'session.started' ? 2 : 1,
    session: 's',
    agent: null,
    client: 'test',
    source: 'hook',
    at: T0 + seq,
    ...who,
    data,
  };
}

let facts = 0;

/** A fact as a fold gets it. */
export function factOf<T extends EventType>(
  type: T,
  data: EventData[T],
  fields: Partial<Fact> = {},
): Fact {
  facts += 1;
  const { trace } = data as { trace?: Trace };
  const who = { session: 's', agent: null, client: 'test', source: 'hook' };
  const id = idOf(facts);
  return { seq: facts, id, type, ...who, at: T0 + facts, data, trace, ...fields };
}

/** Folds facts as they are given. */
export const foldOf = <S>(projection: Projection<S>, list: readonly Fact[]): S =>
  list
    .filter(({ type }) => projection.types.includes(type))
    .reduce((state, one) => projection.apply(state, structuredClone(one)), projection.initial());

export interface Telling {
  type: EventType;
  /** The client's name for the fact; undefined for an id of its own. */
  name?: string;
  data: EventData[EventType];
  who?: Who;
}

/** A journal that is told what happens, with and without stored states. */
export class Journal {
  readonly root = `${scratch()}/.ben10`;
  readonly layout = layoutOf(this.root);
  readonly ports = { ...realPorts, fs: { ...nodeFs, datasync() {}, fsync() {}, syncDir() {} } };
  readonly writer: JournalWriter;
  readonly reader = new JournalReader(this.ports, this.root, decoders);
  readonly store = this.openStore();
  readonly states = new States(this.reader, this.ports.xxh64, this.store);
  /** Folds from the very start, always. */
  readonly bare = new States(this.reader, this.ports.xxh64, undefined, {
    partEvents: Number.POSITIVE_INFINITY,
  });
  #fresh = 0;

  constructor(segmentBytes = 8 * 1024 * 1024) {
    this.writer = new JournalWriter(this.ports, this.root, { lockBudgetMs: 5000, segmentBytes });
  }

  openStore(erasureEpoch = 0): CheckpointStore {
    return new CheckpointStore(this.ports, this.layout, { lz4: lz4Codec, decoders }, erasureEpoch);
  }

  tell(...tellings: readonly Telling[]): number[] {
    const events = tellings.map(({ type, name, data, who = {} }) => {
      const { session = 's', agent = null, source = 'hook', at = T0 } = who;
      const id = name === undefined ? this.#freshId() : factId(session ?? '', name);
      const envelope = { id, type, session, agent, client: 'test', source, at, data };
      return encodeEvent(envelope, this.ports.xxh64);
    });
    return this.writer.append(events).seqs;
  }

  #freshId(): Buffer {
    this.#fresh += 1;
    const id = Buffer.alloc(16, 0xee);
    for (const half of [0, 8]) id.writeUInt32BE(this.#fresh, half);
    return id;
  }

  close(): void {
    this.writer.close();
  }
}

/** A reading of the transcript of a thread. */
export const reading = (agent: string | null, at: number, fields: object = {}): Telling => ({
  type: 'transcript.read',
  data: {
    path: '/t.jsonl',
    from: 0,
    to: 1,
    tail: '',
    records: 1,
    malformed: 0,
    unknown: {},
    ...fields,
  },
  who: { agent, at, source: 'transcript' },
});

/** A transcript's word on what a hook has told. */
export const confirmed = (name: string, type: EventType, trace: Trace, who: Who = {}): Telling => ({
  type: 'fact.enriched',
  name: fact.enriched(factId(who.session ?? 's', name).toString('hex')),
  data: { of: factId(who.session ?? 's', name).toString('hex'), type, trace },
  who: { source: 'transcript', ...who },
});
