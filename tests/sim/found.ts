import { typeTag } from '../../src/journal/envelope.ts';
import { DONE_TYPE, REQUESTED_TYPE } from '../../src/journal/erase-events.ts';
import { FRAME_KIND } from '../../src/journal/format.ts';
import { COPIED_TYPE, REPAIRED_TYPE } from '../../src/journal/own-events.ts';
import type { ReaderPorts } from '../../src/journal/ports.ts';
import { JournalReader } from '../../src/journal/reader.ts';
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
  isHusk: boolean;
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
      isHusk: entry.kind === FRAME_KIND.husk,
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
      isHusk: false,
    });
  return found;
}

export const idsOf = ({ entries, waiting }: Found): Set<string> =>
  new Set([...entries, ...waiting].map(({ id }) => id));
