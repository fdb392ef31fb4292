import type { Codecs } from '../../src/journal/compact-segment.ts';
import { decodeContainer } from '../../src/journal/container.ts';
import { verifyJournal } from '../../src/journal/verify.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import { SimDisk } from './disk.ts';
import { restartEvents } from './events.ts';
import { count, type Tally } from './exhaustive.ts';
import { type KnownFile, knownFiles } from './extents.ts';
import { copyOf, fileAt, type Image } from './image.ts';
import { judge } from './oracle.ts';
import { decoders, SIM_ROOT, startProcess } from './process.ts';
import { type Letter, World } from './workload.ts';

/** A journal with everything in it: sealed, closed and active ones, a checkpoint, a full inbox. */
const GROWN = 'ddrckpdrpidks';

/**
 * Flips bits of a sound journal, one at a time: of each file every `stride`-th bit.
 * @param stride 1 for all
 */
export function flipBits(
  codecs: Codecs,
  options: { stride: number; until: number; isBrief?: boolean },
  tally: Tally,
): void {
  restartEvents();
  const world = new World(codecs, 1);
  for (const letter of GROWN) world.run(letter as Letter, 1);
  const image = world.disk.live;
  // The small ones first: who stops early has seen every kind.
  const files = knownFiles(image).sort((a, b) => a.bytes.length - b.bytes.length);
  for (const file of files) {
    if (file.kind === 'other') continue;
    for (let bit = 0; bit < file.bytes.length * 8; bit += options.stride) {
      if (Date.now() > options.until || (options.isBrief && tally.violations.length > 0)) {
        tally.isComplete = false;
        return;
      }
      flipOne(image, file, bit, world, tally);
    }
  }
}

function flipOne(image: Image, file: KnownFile, bit: number, world: World, tally: Tally): void {
  const { disk, account } = world;
  const at = bit >> 3;
  const flipped = Buffer.from(file.bytes);
  flipped[at] = flipped[at]! ^ (1 << (bit & 7));
  const damaged = copyOf(image);
  damaged.files.set(fileAt(image, file.path)!, flipped);
  const hit = new Set(
    file.extents.filter(({ start, end }) => start <= at && at < end).flatMap(({ ids }) => ids),
  );
  const where = `bit ${bit & 7} of byte ${at} of ${file.path}`;
  tally.points += 1;
  count(tally, judge(damaged, account, { kind: 'damage', hit, where }, disk.now), where);
  const report = (sentence: number, text: string) =>
    tally.violations.push({ where, sentence, text });
  if (file.kind === 'checkpoint' && decodeContainer(flipped, decoders, xxh64) !== undefined)
    report(5, 'a damaged checkpoint is not refused');
  const { ports } = startProcess(new SimDisk(damaged, disk.now), 1, 1);
  const { ok } = verifyJournal(ports, SIM_ROOT, decoders);
  if (file.kind === 'events' && ok) report(5, 'verify does not see it');
  if (file.kind !== 'events' && !ok)
    report(6, 'verify blames the journal for a file that can be lost');
}
