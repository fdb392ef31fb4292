import { COPIED_TYPE, REPAIRED_TYPE } from '../../src/journal/append/own-events.ts';
import { DONE_TYPE, REQUESTED_TYPE } from '../../src/journal/erase/events.ts';
import { typeTag } from '../../src/journal/format/envelope.ts';
import { FRAME_KIND } from '../../src/journal/format/format.ts';
import type { ReaderPorts } from '../../src/journal/format/ports.ts';
import { JournalReader } from '../../src/journal/read/reader.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import { decoders, SIM_ROOT } from './process.ts';

const OWN = new Set(
  [REPAIRED_TYPE, COPIED_TYPE, REQUESTED_TYPE, DONE_TYPE, 'journal.based'].map((type) =>
    typeTag(type, xxh64),
  ),
);

/** An event as a reader gives it. */
export interface FoundEvent {
  id: string;
  payload: Buffer;
  /** 0 in the inbox. */
  seq: number;
  hlc: bigint;
  typeTag: number;
  /** Written by the journal about itself. */
  isOwn: boolean;
  /** Its payload was erased. */
  isTombstone: boolean;
}

/** Everything that the readers give of a journal. */
export interface Found {
  entries: FoundEvent[];
  waiting: FoundEvent[];
  /** Seqs that a reader told of as lost. */
  lost: { firstSeq: number; lastSeq: number }[];
}

export function findAll(ports: ReaderPorts, root = SIM_ROOT): Found {
  const found: Found = { entries: [], waiting: [], lost: [] };
  const reader = new JournalReader(ports, root, decoders);
  for (const { entry, damage } of reader.entries()) {
    if (damage !== undefined && damage.firstSeq !== null)
      found.lost.push({
        firstSeq: damage.firstSeq,
        lastSeq: damage.lastSeq ?? Number.MAX_SAFE_INTEGER,
      });
    if (entry === undefined) continue;
    found.entries.push({
      id: entry.id.toString('hex'),
      payload: Buffer.from(entry.payload),
      seq: entry.seq,
      hlc: BigInt(entry.hlc.ms) * 65536n + BigInt(entry.hlc.count),
      typeTag: entry.typeTag,
      isOwn: OWN.has(entry.typeTag),
      isTombstone: entry.kind === FRAME_KIND.tombstone,
    });
  }
  for (const { id, typeTag, payload } of reader.inbox())
    found.waiting.push({
      id: id.toString('hex'),
      payload,
      seq: 0,
      hlc: 0n,
      typeTag,
      isOwn: false,
      isTombstone: false,
    });
  return found;
}

export const idsOf = ({ entries, waiting }: Found): Set<string> =>
  new Set([...entries, ...waiting].map(({ id }) => id));
