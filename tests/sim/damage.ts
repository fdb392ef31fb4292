import { decodeContainer } from '../../src/journal/format/container.ts';
import type { Codecs } from '../../src/journal/seal/compact-segment.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import { spent } from './budget.ts';
import { count, FOUND_AT, type Tally } from './counting.ts';
import { restartEvents } from './events.ts';
import { type KnownFile, knownFiles } from './extents.ts';
import { verification } from './facts.ts';
import { copyOf, fileAt, type Image } from './image.ts';
import { judge } from './oracle.ts';
import { decoders } from './process.ts';
import { type Letter, World } from './workload.ts';

/** A journal with everything in it: sealed, closed and active ones, a checkpoint, a full inbox. */
const GROWN = 'ddrckpdrpidks';

interface Options {
  stride: number;
  until: number;
  /** The number of the first flip. */
  from?: number;
  isBrief?: boolean;
  /** The only flip, as a violation names it. */
  flip?: string;
}

/**
 * Flips bits of a sound journal, one at a time: of each file every `stride`-th bit.
 * @param stride 1 for all
 */
export function flipBits(codecs: Codecs, options: Options, tally: Tally): void {
  restartEvents();
  const world = new World(codecs, 1);
  for (const letter of GROWN) world.run(letter as Letter, 1);
  const image = world.disk.live;
  // The small ones first: who stops early has seen every kind.
  const files = knownFiles(image).sort((a, b) => a.bytes.length - b.bytes.length);
  let number = 0;
  for (const file of files) {
    if (file.kind === 'other') continue;
    for (let bit = 0; bit < file.bytes.length * 8; bit += options.stride) {
      number += 1;
      if (number <= (options.from ?? 0)) continue;
      if (options.flip !== undefined && options.flip !== nameOf(file, bit)) continue;
      if (spent() > options.until || (options.isBrief && tally.violations.length > 0)) {
        tally.isComplete = false;
        tally.next = number - 1;
        return;
      }
      flipOne(image, file, bit, world, tally);
    }
  }
}

const nameOf = ({ path }: KnownFile, bit: number): string =>
  `bit ${bit & 7} of byte ${bit >> 3} of ${path}`;

function flipOne(image: Image, file: KnownFile, bit: number, world: World, tally: Tally): void {
  const { account } = world;
  const at = bit >> 3;
  const flipped = Buffer.from(file.bytes);
  flipped[at] = flipped[at]! ^ (1 << (bit & 7));
  const damaged = copyOf(image);
  damaged.files.set(fileAt(image, file.path)!, flipped);
  const hit = new Set(
    file.extents.filter(({ start, end }) => start <= at && at < end).flatMap(({ ids }) => ids),
  );
  const where = nameOf(file, bit);
  tally.points += 1;
  count(tally, judge(damaged, account, { kind: 'damage', hit, where }, FOUND_AT), where);
  const report = (sentence: number, text: string) =>
    tally.violations.push({ where, sentence, text });
  if (file.kind === 'checkpoint' && !isRefused(file.bytes, flipped))
    report(5, 'a damaged checkpoint is not refused');
  const { ok, damage } = verification(damaged);
  const isManifest = file.path.endsWith('/manifest');
  if ((file.kind === 'events' || isManifest) && ok) report(5, 'verify does not see it');
  const blamed = damage.filter(({ kind }) => !(isManifest && kind === 'manifest'));
  if (file.kind !== 'events' && blamed.length > 0)
    report(6, 'verify blames the journal for a file that can be lost');
}

/** Or says the same: other packed bytes may stand for one content, whose sum is what is looked at. */
function isRefused(sound: Buffer, flipped: Buffer): boolean {
  const plain = decodeContainer(flipped, decoders, xxh64);
  return plain === undefined || plain.equals(decodeContainer(sound, decoders, xxh64)!);
}
