import { decodeContainer } from '../../src/journal/format/container.ts';
import { decodeSegmentHeader } from '../../src/journal/format/segment.ts';
import { openSealed, readChunk } from '../../src/journal/read/sealed.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import type { Account } from './account.ts';
import type { Found, FoundEvent } from './found.ts';
import { filesIn, type Image } from './image.ts';
import { decoders } from './process.ts';

type Report = (sentence: number, text: string) => void;

/**
 * 11. What somebody erased is gone for good, from every file; what nobody erased is whole.
 * @param isRecovered an erasure that was cut off is either not begun by now, or complete
 */
export function erasedAsAsked(
  image: Image,
  found: Found,
  { erasures, drops, attempted }: Account,
  isRecovered: boolean,
  report: Report,
): void {
  const asked = new Set(erasures.flatMap(({ ids }) => ids));
  const dropped = new Set(drops.flatMap(({ ids }) => ids));
  // A drop takes the states of an earlier one as well.
  const mayGo = (one: FoundEvent) => dropped.has(one.id) || (one.isOwn && drops.length > 0);
  for (const one of found.entries) {
    const { id, isTombstone } = one;
    if (isTombstone && !asked.has(id) && !mayGo(one))
      report(11, `event ${id} is a tombstone, and nobody erased it`);
  }
  const tombstones = new Set(
    found.entries.filter(({ isTombstone }) => isTombstone).map(({ id }) => id),
  );
  for (const { ids, done } of erasures)
    for (const id of ids) {
      if (done !== undefined && !tombstones.has(id))
        report(11, `event ${id} was erased, and has no tombstone`);
      const canary = attempted.get(id)?.canary;
      // One that was never begun may be the tombstone of a drop, whose states have it.
      const isDone = isRecovered && tombstones.has(id) && !dropped.has(id);
      const isGone = done !== undefined || isDone;
      if (!isGone || canary === undefined) continue;
      for (const path of filesWith(image, canary))
        report(11, `${canary} was erased, and is in ${path}`);
    }
}

const filesWith = (image: Image, canary: string): string[] =>
  filesIn(image)
    .filter(([path, bytes]) => textsOf(path, bytes).some((text) => text.includes(canary)))
    .map(([path]) => path);

const texts = new WeakMap<Buffer, Buffer[]>();

/** A file's bytes as they are, and unpacked. */
function textsOf(path: string, bytes: Buffer): Buffer[] {
  let found = texts.get(bytes);
  if (found === undefined) {
    const plain = decodeContainer(bytes, decoders, xxh64);
    found = [bytes, ...(plain === undefined ? [] : [plain])];
    if (/\.b10z(?:\.|$)/.test(path)) found.push(...unpackedChunks(bytes));
    texts.set(bytes, found);
  }
  return found;
}

function unpackedChunks(bytes: Buffer): Buffer[] {
  const header = decodeSegmentHeader(bytes, xxh64);
  if (header === undefined) return [];
  const sealed = openSealed(bytes, header, xxh64);
  return sealed.chunks.flatMap((chunk) => {
    const { entries } = readChunk(bytes, sealed, chunk, decoders, xxh64);
    return (entries ?? []).map(({ payload }) => payload);
  });
}
