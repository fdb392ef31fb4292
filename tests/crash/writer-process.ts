/**
 * A writer to be killed: appends events as fast as it can, telling its parent before each append what it is going to
 * append and after it that it was acknowledged. The parent keeps the account, so it cannot die with the writer.
 *
 *   node writer-process.cjs ROOT ADDONS NAME FIRST
 */
import { createHash } from 'node:crypto';
import { writeSync } from 'node:fs';
import { encodeEnvelope, typeTag } from '../../src/journal/envelope.ts';
import { JournalWriter } from '../../src/journal/writer.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { nodeFs } from '../../src/platform/fs.ts';
import { loadFileLock } from '../../src/platform/lock.ts';
import { systemRandom } from '../../src/platform/random.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';

const [, , root, addons, name, first] = process.argv as [
  string,
  string,
  string,
  string,
  string,
  string,
];
const ports = {
  fs: nodeFs,
  clock: systemClock,
  random: systemRandom,
  lock: loadFileLock(addons),
  xxh64,
};
const writer = new JournalWriter(ports, root, { lockBudgetMs: 50, segmentBytes: 4 * 1024 * 1024 });
const CLASSES = ['process', 'interval', 'disk'] as const;

for (let n = Number(first); ; n += 1) {
  // Mostly small, sometimes more than a page, now and then hundreds of kilobytes: large writes are the ones that tear.
  const bytes = n % 29 === 0 ? 700_000 : n % 7 === 0 ? 20_000 : 100 + (n % 400);
  const data = { name, n, text: 'x'.repeat(bytes) };
  const envelope = {
    type: 'test.happened',
    version: 1,
    session: name,
    agent: null,
    client: 'test',
    source: 'tool',
    at: n,
    data,
  };
  const payload = encodeEnvelope(envelope);
  const id = createHash('sha256').update(`${name}:${n}`).digest().subarray(0, 16);
  const digest = createHash('sha256').update(payload).digest('hex');
  writeSync(1, `intent ${n} ${digest}\n`);
  writer.append([
    { id, typeTag: typeTag(envelope.type, xxh64), payload, durability: CLASSES[n % 3]! },
  ]);
  writeSync(1, `ack ${n}\n`);
}
