import {
  decodeData,
  decodeHead,
  type Envelope,
  type EnvelopeHead,
} from '../journal/format/envelope.ts';
import { FRAME_KIND } from '../journal/format/format.ts';
import type { Entry } from '../journal/format/frame.ts';
import type { JournalEvent } from './types.ts';
import { upcast } from './upcast.ts';

/**
 * The event of an entry, in the shape of today; its data is decoded when it is first asked for. Undefined for a
 * tombstone, whose body was erased, and for a body that is no envelope.
 */
export function decodeEvent(entry: Entry): JournalEvent | undefined {
  const head = headOf(entry);
  return head && lazyEvent(entry, head);
}

/** The same of an entry of which the head is known; for who asks for few events' data, while the entry's bytes are there. */
export const lazyEvent = (entry: Entry, head: EnvelopeHead | Envelope): JournalEvent =>
  entry.envelope === undefined
    ? new LazyEvent(entry, head as EnvelopeHead)
    : known(entry, entry.envelope);

/** Of a class: each object that is written down with getters of its own stays until the engine has looked through all memory. */
class LazyEvent implements JournalEvent {
  readonly seq: number;
  readonly id: string;
  readonly type: string;
  readonly session: string | null;
  readonly agent: string | null;
  readonly client: string | null;
  readonly source: string;
  readonly at: number | null;
  readonly #entry: Entry;
  readonly #head: EnvelopeHead;
  #opened: { version: number; data: unknown } | undefined;

  constructor(entry: Entry, head: EnvelopeHead) {
    this.seq = entry.seq;
    this.id = entry.id.toString('hex');
    this.type = head.type;
    this.session = head.session;
    this.agent = head.agent;
    this.client = head.client;
    this.source = head.source;
    this.at = head.at;
    this.#entry = entry;
    this.#head = head;
  }

  get version(): number {
    return this.#open().version;
  }

  get data(): unknown {
    return this.#open().data;
  }

  /** With its data, which is no field of its own: who writes it as JSON, or looks for something in that, means all of it. */
  toJSON(): JournalEvent {
    const { seq, id, type, version, session, agent, client, source, at, data } = this;
    return { seq, id, type, version, session, agent, client, source, at, data };
  }

  #open(): { version: number; data: unknown } {
    this.#opened ??= opened(this.#entry, this.#head);
    return this.#opened;
  }
}

/** The event of an entry of which the head is known; for who is going to ask for its data. */
export function wholeEvent(entry: Entry, head: EnvelopeHead | Envelope): JournalEvent {
  if (entry.envelope !== undefined) return known(entry, entry.envelope);
  const { type, session, agent, client, source, at } = head;
  const { version, data } = opened(entry, head as EnvelopeHead);
  const id = entry.id.toString('hex');
  return { seq: entry.seq, id, type, version, session, agent, client, source, at, data };
}

/** What an event says of itself, without its data. Undefined as with `decodeEvent`. */
export function headOf(entry: Entry): EnvelopeHead | Envelope | undefined {
  if (entry.kind !== FRAME_KIND.event) return undefined;
  if (entry.envelope !== undefined) return entry.envelope;
  try {
    return decodeHead(entry.payload);
  } catch {
    return undefined; // a sound frame around a body that is none: hostile, or from the future
  }
}

const opened = ({ payload }: Entry, { type, version, dataOffset }: EnvelopeHead) =>
  upcast(type, version, safeData(payload.subarray(dataOffset)));

/** Of an entry that this process encoded itself. */
const known = ({ seq, id }: Entry, envelope: Envelope): JournalEvent => ({
  seq,
  id: id.toString('hex'),
  ...envelope,
});

function safeData(bytes: Buffer): unknown {
  try {
    return decodeData(bytes);
  } catch (error) {
    return { undecodable: (error as Error).message };
  }
}
