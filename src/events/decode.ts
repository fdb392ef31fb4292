import { decodeHead, type Envelope, type EnvelopeHead } from '../journal/format/envelope.ts';
import { FRAME_KIND } from '../journal/format/format.ts';
import type { Entry } from '../journal/format/frame.ts';
import { readMsgpack } from '../journal/format/msgpack-read.ts';
import { CATALOGUE, isKnownType } from './catalogue.ts';
import type { JournalEvent } from './types.ts';

/**
 * The event of an entry in today's shape; its data is decoded on first use. Undefined for a tombstone and for a
 * body that is no envelope.
 */
export function decodeEvent(entry: Entry): JournalEvent | undefined {
  const head = headOf(entry);
  return head && lazyEvent(entry, head);
}

/** As `decodeEvent`, with a known head: for readers that need the data of few events. */
export const lazyEvent = (entry: Entry, head: EnvelopeHead | Envelope): JournalEvent =>
  entry.envelope === undefined
    ? new LazyEvent(entry, head as EnvelopeHead)
    : known(entry, entry.envelope);

/** A class: V8 keeps objects with getters of their own until a full garbage collection. */
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

  /** With the data: it is a getter, and JSON would leave it out. */
  toJSON(): JournalEvent {
    const { seq, id, type, version, session, agent, client, source, at, data } = this;
    return { seq, id, type, version, session, agent, client, source, at, data };
  }

  #open(): { version: number; data: unknown } {
    this.#opened ??= opened(this.#entry, this.#head);
    return this.#opened;
  }
}

/** As `lazyEvent`, with the data decoded at once. */
export function wholeEvent(entry: Entry, head: EnvelopeHead | Envelope): JournalEvent {
  if (entry.envelope !== undefined) return known(entry, entry.envelope);
  const { type, session, agent, client, source, at } = head;
  const { version, data } = opened(entry, head as EnvelopeHead);
  const id = entry.id.toString('hex');
  return { seq: entry.seq, id, type, version, session, agent, client, source, at, data };
}

/** An event's head, without its data. Undefined as in `decodeEvent`. */
export function headOf(entry: Entry): EnvelopeHead | Envelope | undefined {
  if (entry.kind !== FRAME_KIND.event) return undefined;
  return entry.envelope ?? headIn(entry.payload);
}

/** The head of a body; undefined if that is no envelope: hostile, or from the future. */
export function headIn(payload: Buffer): EnvelopeHead | undefined {
  try {
    return decodeHead(payload);
  } catch {
    return undefined;
  }
}

const opened = ({ payload }: Entry, { type, version, dataOffset }: EnvelopeHead) =>
  upcast(type, version, safeData(payload.subarray(dataOffset)));

/** The event of an entry that this process encoded itself. */
const known = ({ seq, id }: Entry, envelope: Envelope): JournalEvent => ({
  seq,
  id: id.toString('hex'),
  ...envelope,
});

function safeData(bytes: Buffer): unknown {
  try {
    return readMsgpack(bytes);
  } catch (error) {
    return { undecodable: (error as Error).message };
  }
}

/** Data in today's shape. Newer versions, unknown types and malformed data stay as they are, with their version. */
export function upcast(
  type: string,
  version: number,
  data: unknown,
): { version: number; data: unknown } {
  if (!isKnownType(type) || version < 1 || version >= CATALOGUE[type].version) {
    return { version, data };
  }
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return { version, data };
  let current = data as Record<string, unknown>;
  for (const step of CATALOGUE[type].upcasters.slice(version - 1)) current = step(current);
  return { version: CATALOGUE[type].version, data: current };
}
