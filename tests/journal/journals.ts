import path from 'node:path';
import { type Choice, eraseEvents } from '../../src/journal/erase/erase.ts';
import { DONE_TYPE, REQUESTED_TYPE } from '../../src/journal/erase/events.ts';
import { typeTag } from '../../src/journal/format/envelope.ts';
import { FRAME_KIND } from '../../src/journal/format/format.ts';
import type { JournalPorts } from '../../src/journal/format/ports.ts';
import { planRepair, repairJournal } from '../../src/journal/repair/repair.ts';
import { compactJournal } from '../../src/journal/seal/compact.ts';
import { loadZstd } from '../../src/platform/codecs/zstd-write.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import { decoders, realPorts } from '../support.ts';
import { eventsOf, newRoot, originFolder, readAll, writerOn } from './support.ts';

/** What segments are packed and unpacked with. */
export const codecs = { zstd: await loadZstd(), decoders };

export const compact = (
  root: string,
  options?: Parameters<typeof compactJournal>[3],
  ports: JournalPorts = realPorts,
) => compactJournal(ports, root, codecs, options);

export const plannedRepair = (root: string) => planRepair(realPorts, root, decoders);
export const repair = (root: string) => repairJournal(realPorts, root, decoders);

/** Seqs from the first to the last, both included. */
export const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** A journal of several small segments, the last one active. */
export function manySegments(count = 40): string {
  const root = newRoot();
  const writer = writerOn(root, { segmentBytes: 2000 });
  for (const event of eventsOf(count, 100)) writer.append([event]);
  return root;
}

/** Four segments of three events each: two sealed, one closed, one active. */
export function fourSegments(): string {
  const root = newRoot();
  const writer = writerOn(root);
  for (let segment = 0; segment < 4; segment += 1) {
    if (segment > 0) writer.rotate(0);
    writer.append(eventsOf(3, 300));
    if (segment === 1) {
      writer.rotate(0);
      compact(root);
    }
  }
  return root;
}

export const originOf = (root: string) => path.basename(originFolder(root));

/** These of the journal's own events, and nothing else, have to go. */
export const choice = (root: string, seqs: readonly number[]): Choice => ({
  by: 'event',
  events: seqs.map((seq) => ({ origin: originOf(root), seq })),
  blobs: [],
  files: [],
});

export const eraseSeqs = (root: string, ...seqs: number[]) =>
  eraseEvents(realPorts, root, codecs, () => choice(root, seqs));

export const tombstones = (root: string) =>
  readAll(root).entries.filter(({ kind }) => kind === FRAME_KIND.tombstone);

/** Types of the events about erasures, in their order. */
export function typesOf(root: string): string[] {
  const names = new Map([REQUESTED_TYPE, DONE_TYPE].map((type) => [typeTag(type, xxh64), type]));
  return readAll(root).entries.flatMap((entry) => names.get(entry.typeTag) ?? []);
}
