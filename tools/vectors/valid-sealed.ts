import type { Codec } from '../../src/platform/codecs/codecs.ts';
import { after, type Draft, draft, drafts, FIRST, type Segment, segment } from './compose.ts';
import type { MadeVector } from './model.ts';
import { sealed, storing } from './sealed.ts';
import { skippable, tombstones, twice } from './valid.ts';
import { journal } from './vector.ts';

/** Events of 100 KiB, which make three chunks of at most two; they shrink to next to nothing. */
export const threeChunks = (label: string, count: 5 | 6 = 6): Segment =>
  segment(`${label} segment`, FIRST, large(label, count));

const large = (label: string, count: number): Draft[] =>
  Array.from({ length: count }, (_, index) =>
    draft(`${label} ${index + 1}`, {
      data: { text: `${label} ${index + 1}. `.repeat(12_000).slice(0, 100_000) },
    }),
  );

/** Journals with sealed segments. */
export function sealedVectors(zstd: Codec): MadeVector[] {
  const chunks = threeChunks('sealed');
  const small = segment('sealed small', FIRST, drafts('sealed small', 4));
  const next = segment('after sealed', after(small), drafts('after sealed', 2));
  return [
    journal('valid/sealed', 'A sealed segment of three Zstd chunks.', [sealed(chunks, zstd)]),
    journal('valid/sealed-stored', 'A chunk that Zstd could not shrink is stored as it is.', [
      sealed(small, storing),
    ]),
    journal(
      'valid/sealed-and-active',
      'The usual journal: a sealed segment, then the active one.',
      [sealed(small, zstd), next],
    ),
    besideRaw(small, next, zstd),
    journal(
      'valid/sealed-tombstone',
      'A tombstone in a sealed segment: its commitment stands where payloads stand.',
      [
        sealed(segment('sealed tombstone', FIRST, tombstones()), zstd),
        segment(
          'after sealed tombstone',
          after(segment('sealed tombstone', FIRST, tombstones())),
          drafts('after tombstone', 1),
        ),
      ],
    ),
    journal('valid/sealed-skippable-kind', 'A skippable kind in a sealed segment.', [
      sealed(segment('sealed skippable', FIRST, skippable()), zstd),
    ]),
    journal(
      'valid/sealed-repeated-id',
      'A repeated event in a sealed segment: its id stands twice in the id table.',
      [sealed(segment('sealed repeated', FIRST, twice()), zstd)],
    ),
    journal('valid/sealed-level-19', 'What `compact` writes.', [sealed(chunks, zstd, 19)]),
  ];
}

function besideRaw(raw: Segment, next: Segment, zstd: Codec): MadeVector {
  const both = journal(
    'valid/sealed-beside-raw',
    'A crash between publishing the sealed file and removing the raw one: the sealed one counts.',
    [sealed(raw, zstd), next],
  );
  const files = new Map(both.files);
  files.set(`${raw.origin}/${raw.name}`, raw.bytes);
  return { ...both, files };
}
