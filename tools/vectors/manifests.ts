import { xxh64 } from '../../src/platform/xxh64.ts';
import { drafts, FIRST, ORIGIN_A, ORIGIN_B, segment } from './compose.ts';
import type { MadeVector } from './model.ts';
import { journal, LOST_MANIFEST, manifestFile } from './vector.ts';

const MANIFEST_BYTES_MAX = 64 * 1024;

/** Manifests whose sum fits: what is in them decides. */
export function manifestVectors(): MadeVector[] {
  return [...sound(), ...damaged()];
}

const one = (path: string, why: string, manifest: Buffer, isSound: boolean): MadeVector =>
  journal(path, why, [segment('manifests', FIRST, drafts('manifests', 1))], {
    manifest: false,
    files: { manifest },
    damage: isSound ? [] : [LOST_MANIFEST],
  });

/** The usual line, edited as text. */
function edited(from: string | RegExp, to: string): Buffer {
  const [line] = manifestFile().toString().split('\n') as [string];
  const text = line.replace(from, to);
  if (text === line) throw new Error(`${from} is not there`);
  return summed(Buffer.from(text));
}

function summed(line: Buffer): Buffer {
  const sum = xxh64(line, 0n).toString(16).padStart(16, '0');
  return Buffer.concat([line, Buffer.from(`\n${sum}\n`)]);
}

function sound(): MadeVector[] {
  const valid = (name: string, why: string, manifest: Buffer): MadeVector =>
    one(`valid/manifest-${name}`, why, manifest, true);
  const places = Array.from({ length: 9 }, (_, index) => [index, 0.5]);
  return [
    valid(
      'unknown-keys',
      'Keys that this version does not know are ignored.',
      manifestFile({ later: { of: ['any', 'form'] } }),
    ),
    valid(
      'lists',
      'More places than a writer keeps, of any numbers, and an empty list.',
      manifestFile({ places, formerly: [] }),
    ),
    valid(
      'marks',
      'An erasure and a drop that are under way.',
      manifestFile({ erasing: 1, dropping: 2, isRebuilt: false }),
    ),
    valid(
      'numbers',
      'Whole numbers in other forms of JSON.',
      edited('"generation":0', '"generation":70e-1'),
    ),
    valid('number-most', 'A number of 2^53 - 1.', manifestFile({ erasureEpoch: 2 ** 53 - 1 })),
    valid(
      'key-twice',
      'A key that stands twice: the last one counts.',
      edited('{"format":1', '{"generation":-1,"format":7,"format":1'),
    ),
  ];
}

function damaged(): MadeVector[] {
  const bad = (name: string, why: string, manifest: Buffer): MadeVector =>
    one(`hostile/manifest-${name}`, why, manifest, false);
  const utf8 = Buffer.from(manifestFile({ note: 'x' }).toString().split('\n')[0]!);
  utf8.writeUInt8(0xff, utf8.lastIndexOf('x'));
  const around = manifestFile({ note: '' }).length;
  const long = manifestFile({ note: 'x'.repeat(MANIFEST_BYTES_MAX + 1 - around) });
  if (long.length !== MANIFEST_BYTES_MAX + 1) throw new Error('one byte too long is meant');
  return [
    bad('key-missing', 'A manifest without createdAt.', manifestFile({ createdAt: undefined })),
    bad(
      'upper-case',
      'Hex digits in upper case.',
      manifestFile({ origin: ORIGIN_A.toUpperCase() }),
    ),
    bad('blob-key', 'A blob key that is no hex.', manifestFile({ blobKey: 'z'.repeat(64) })),
    bad('format-true', 'A format that is no number.', manifestFile({ format: true })),
    bad('fraction', 'A number that is not whole.', manifestFile({ generation: 0.5 })),
    bad('negative', 'A number below 0.', manifestFile({ generation: -1 })),
    bad('number-large', 'A number of 2^53.', manifestFile({ erasureEpoch: 2 ** 53 })),
    bad('number-text', 'A number as a string.', manifestFile({ createdAt: '1' })),
    bad('places-null', 'A list that is null.', manifestFile({ places: null })),
    bad('places-three', 'A place of three numbers.', manifestFile({ places: [[1, 2, 3]] })),
    bad('places-text', 'A place that is a string.', manifestFile({ places: ['12'] })),
    bad('formerly-list', 'A former origin in a list.', manifestFile({ formerly: [[ORIGIN_B]] })),
    bad('formerly-short', 'A former origin that is none.', manifestFile({ formerly: ['b0'] })),
    bad('rebuilt-number', 'isRebuilt is no boolean.', manifestFile({ isRebuilt: 1 })),
    bad('erasing-zero', 'A mark of an erasure that names no seq.', manifestFile({ erasing: 0 })),
    bad('utf8', 'A byte that is no UTF-8, in a key that nobody asks for.', summed(utf8)),
    bad('too-long', 'A manifest of 64 KiB and one byte.', long),
  ];
}
