/**
 * A writer that does everything that writers do, once, and is killed at a given point of it.
 *
 *   node doomed-process.cjs ROOT ADDONS NAME [KILL-POINT as JSON]
 *
 * Without a point it says at its end how often it came by each: `point TIMES NAME`.
 */
import { writeSync } from 'node:fs';
import { putBlob } from '../../src/journal/blobs.ts';
import { compactJournal } from '../../src/journal/compact.ts';
import type { Durability } from '../../src/journal/inbox.ts';
import { layoutOf } from '../../src/journal/layout.ts';
import { readManifest } from '../../src/journal/manifest.ts';
import { JournalWriter } from '../../src/journal/writer.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { unlz4 } from '../../src/platform/codecs/lz4.ts';
import { unzstd } from '../../src/platform/codecs/zstd-read.ts';
import { loadZstd } from '../../src/platform/codecs/zstd-write.ts';
import { nodeFs } from '../../src/platform/fs.ts';
import { loadFileLock } from '../../src/platform/lock.ts';
import { systemRandom } from '../../src/platform/random.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import { type KillPoint, withKillPoint } from './kill-points.ts';
import { appendAloud, eventOf } from './test-events.ts';

const SEGMENT_BYTES = 4096;

const [root, addons, name, given] = process.argv.slice(2) as [string, string, string, string?];
const point = given === undefined ? undefined : (JSON.parse(given) as KillPoint);
const counts = new Map<string, number>();

async function main(): Promise<void> {
  const zstd = await loadZstd();
  const ports = {
    fs: withKillPoint(nodeFs, point, counts),
    clock: systemClock,
    random: systemRandom,
    lock: loadFileLock(addons),
    xxh64,
  };
  const options = { lockBudgetMs: 2000, segmentBytes: SEGMENT_BYTES };
  const writer = new JournalWriter(ports, root, options);
  // Where there is no lock to be had, writers leave their events in the inbox.
  const spooling = new JournalWriter({ ...ports, lock: undefined }, root, options);
  let n = 0;
  const append = (to: JournalWriter, durability: Durability, ...sizes: number[]): void => {
    const events = sizes.map((bytes, i) => eventOf(name, n + i, bytes, durability));
    appendAloud((batch) => to.append(batch), events, n);
    n += events.length;
  };

  for (const durability of ['process', 'interval', 'disk'] as const)
    append(writer, durability, 300);
  append(writer, 'disk', 1500, 1500, 1500, 1500);
  append(writer, 'process', 200_000);
  append(spooling, 'process', 300);
  append(spooling, 'disk', 300, 5000);
  append(writer, 'interval', 300);
  putBlob(
    ports,
    layoutOf(root),
    readManifest(ports, layoutOf(root))!.blobKey,
    Buffer.alloc(90_000, name),
  );
  append(writer, 'disk', 70_000, 300);
  try {
    compactJournal(ports, root, { zstd, decoders: { lz4: unlz4, zstd: unzstd } });
  } catch (error) {
    // Another one compacts at the moment.
    if ((error as { code?: string }).code !== 'CONTEXT_LOCKED') throw error;
  }
  append(writer, 'process', 300);
  append(writer, 'disk', 300);
  writer.close();
  spooling.close();
  writeSync(1, [...counts].map(([what, times]) => `point ${times} ${what}\n`).join(''));
}

void main();
