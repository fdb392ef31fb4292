import { decodeContainer } from '../../src/journal/format/container.ts';
import { decodeEnvelope, typeTag } from '../../src/journal/format/envelope.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import type { Account } from './account.ts';
import type { Found } from './found.ts';
import { fileAt, type Image } from './image.ts';
import { decoders, SIM_ROOT } from './process.ts';

const SAVED = typeTag('context.saved', xxh64);

/** 8. An event that names a save comes behind its file: where the one is, the other is whole. Erasing removes files. */
export function savesAreThere(
  image: Image,
  { entries, waiting }: Found,
  { erasures }: Account,
  report: (sentence: number, text: string) => void,
): void {
  if (erasures.length > 0) return;
  for (const { id, payload, typeTag: tag } of [...entries, ...waiting]) {
    if (tag !== SAVED) continue;
    const { file } = decodeEnvelope(payload).data as { file: string };
    const number = fileAt(image, `${SIM_ROOT}/${file}`);
    const bytes = number === undefined ? undefined : image.files.get(number);
    if (bytes === undefined || decodeContainer(bytes, decoders, xxh64) === undefined)
      report(8, `event ${id} names a save, and its file is not whole: ${file}`);
  }
}
