import { decodeData, decodeHead, type Envelope } from '../journal/envelope.ts';
import { FRAME_KIND } from '../journal/format.ts';
import type { Entry } from '../journal/frame.ts';
import type { JournalEvent } from './types.ts';
import { upcast } from './upcasters.ts';

/**
 * The event of an entry, in the shape of today; its data is decoded when it is first asked for. Undefined for a
 * husk, whose body was erased, and for a body that is no envelope.
 */
export function decodeEvent(entry: Entry): JournalEvent | undefined {
  if (entry.kind !== FRAME_KIND.event) return undefined;
  if (entry.envelope !== undefined) return known(entry, entry.envelope);
  let head: ReturnType<typeof decodeHead>;
  try {
    head = decodeHead(entry.payload);
  } catch {
    return undefined; // a sound frame around a body that is none: hostile, or from the future
  }
  const { dataOffset, ...envelope } = head;
  let decoded: { version: number; data: unknown } | undefined;
  const open = () => {
    decoded ??= upcast(head.type, head.version, safeData(entry.payload.subarray(dataOffset)));
    return decoded;
  };
  return {
    seq: entry.seq,
    id: entry.id.toString('hex'),
    ...envelope,
    get version() {
      return open().version;
    },
    get data() {
      return open().data;
    },
  };
}

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
