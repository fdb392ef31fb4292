/**
 * A writer to be killed: appends as fast as it can, telling its parent before each append what it is going to append
 * and after it that it was acknowledged. The parent keeps the account, so it cannot die with the writer.
 *
 *   node writer-process.cjs ROOT ADDONS NAME FIRST [large]
 */
import { createHash } from 'node:crypto';
import { writeSync } from 'node:fs';
import { encodeEnvelope, typeTag } from '../../src/journal/envelope.ts';
import type { NewEvent } from '../../src/journal/inbox.ts';
import { JournalWriter } from '../../src/journal/writer.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { nodeFs } from '../../src/platform/fs.ts';
import { loadFileLock } from '../../src/platform/lock.ts';
import { systemRandom } from '../../src/platform/random.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';

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
const TYPE = 'test.happened';

function eventOf(n: number, bytes: number): NewEvent {
  const payload = encodeEnvelope({
    type: TYPE,
    version: 1,
    session: name,
    agent: null,
    client: 'test',
    source: 'tool',
    at: n,
    data: { name, n, text: 'x'.repeat(bytes) },
  });
  const id = createHash('sha256').update(`${name}:${n}`).digest().subarray(0, 16);
  return { id, typeTag: typeTag(TYPE, xxh64), payload, durability: CLASSES[n % CLASSES.length]! };
}

/** Mostly one small event, sometimes more than a page, now and then several hundred kilobytes: those tear. */
function batchFrom(n: number): NewEvent[] {
  if (isLarge) return [0, 1, 2, 3, 4, 5, 6].map((i) => eventOf(n + i, 1_000_000));
  if (n % 37 === 5) return [eventOf(n, 700_000)];
  if (n % 37 === 17) return [0, 1, 2].map((i) => eventOf(n + i, 250_000));
  if (n % 7 === 0) return [eventOf(n, 20_000)];
  return [eventOf(n, 100 + (n % 400))];
}

for (let n = Number(first); ; ) {
  const batch = batchFrom(n);
  const numbers = batch.map((_, i) => n + i);
  const digests = batch.map(({ payload }) => createHash('sha256').update(payload).digest('hex'));
  writeSync(1, numbers.map((one, i) => `intent ${one} ${digests[i]}\n`).join(''));
  if (batch[0]!.payload.length > 100_000) writeSync(1, 'large\n');
  writer.append(batch);
  writeSync(1, numbers.map((one) => `ack ${one}\n`).join(''));
  n += batch.length;
}
