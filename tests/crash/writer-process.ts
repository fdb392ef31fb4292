/**
 * A writer to be killed: appends for ever, as fast as it can unless it is a modest one.
 *
 *   node writer-process.cjs ROOT ADDONS NAME FIRST [large|modest]
 */
import type { NewEvent } from '../../src/journal/inbox.ts';
import { JournalWriter } from '../../src/journal/writer.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { nodeFs } from '../../src/platform/fs.ts';
import { loadFileLock } from '../../src/platform/lock.ts';
import { systemRandom } from '../../src/platform/random.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import { appendAloud, eventOf } from './test-events.ts';

const [root, addons, name, first, diet] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string | undefined,
];
const ports = {
  fs: nodeFs,
  clock: systemClock,
  random: systemRandom,
  lock: loadFileLock(addons),
  xxh64,
};
const isLarge = diet === 'large';
// Large appends are to be hit in the write itself: without syncs and rotations most of the time goes there.
const options = isLarge ? { segmentBytes: 48 * 1024 * 1024 } : {};
const writer = new JournalWriter(ports, root, { lockBudgetMs: 50, ...options });
const CLASSES = isLarge ? (['process'] as const) : (['process', 'interval', 'disk'] as const);

/** Mostly one small event, sometimes more than a page, now and then several hundred kilobytes: those tear. */
function sizesFrom(n: number): number[] {
  if (isLarge) return new Array<number>(7).fill(1_000_000);
  if (diet === 'modest') return [100 + (n % 400)];
  if (n % 37 === 5) return [700_000];
  if (n % 37 === 17) return [250_000, 250_000, 250_000];
  if (n % 7 === 0) return [20_000];
  return [100 + (n % 400)];
}

for (let n = Number(first); ; ) {
  const sizes = sizesFrom(n);
  const batch: NewEvent[] = sizes.map((bytes, i) =>
    eventOf(name, n + i, bytes, CLASSES[(n + i) % CLASSES.length]!),
  );
  appendAloud((events) => writer.append(events), batch, n);
  n += batch.length;
  if (diet === 'modest') systemClock.sleep(2);
}
