import { encodeEnvelope } from '../../src/journal/format/envelope.ts';
import { FRAME_KIND } from '../../src/journal/format/format.ts';
import { commitOf, type Entry } from '../../src/journal/format/frame.ts';
import { Chance } from './chance.ts';

export const START_MS = 1_795_250_000_000;
/** Larger than any kind that readers know, so that they skip it. */
const SKIPPED_KIND = 200;

/** An entry with fields that follow from its seq; kinds are mixed in, so that each stands somewhere. */
export function entryOf(seq: number, payload: Buffer, kind: number): Entry {
  const chance = new Chance(seq * 7919);
  const salt = chance.bytes(16);
  const commit = commitOf(salt, payload);
  const isTombstone = kind === FRAME_KIND.tombstone;
  return {
    kind,
    flags: seq % 5 === 0 && kind === FRAME_KIND.event ? 1 : 0,
    typeTag: 7,
    seq,
    hlc: { ms: START_MS + seq, count: seq % 3 },
    id: chance.bytes(16),
    syncedUpto: Math.max(0, seq - 2),
    salt: isTombstone ? Buffer.alloc(0) : salt,
    payload: isTombstone ? Buffer.alloc(0) : payload,
    commit,
  };
}

export const payloadOf = (data: unknown, type = 'test.happened'): Buffer =>
  encodeEnvelope({
    type,
    version: 1,
    session: 's1',
    agent: null,
    client: 'test',
    source: 'tool',
    at: START_MS,
    data,
  });

/** Payloads of different lengths, so that every padding is there. */
export function entriesOf(
  firstSeq: number,
  count: number,
  bytes: number,
  isPlain = false,
): Entry[] {
  return Array.from({ length: count }, (_, index) => {
    const seq = firstSeq + index;
    const text = 'all work and no play '.repeat(Math.ceil((bytes + seq) / 21));
    const kind =
      !isPlain && index % 6 === 3
        ? FRAME_KIND.tombstone
        : !isPlain && index % 6 === 5
          ? SKIPPED_KIND
          : FRAME_KIND.event;
    return entryOf(seq, payloadOf({ seq, text: text.slice(0, bytes + (seq % 8)) }), kind);
  });
}
