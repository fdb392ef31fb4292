/**
 * A writer that does everything that writers do, once, and is killed at a given point of it.
 *
 *   node doomed-process.cjs ROOT ADDONS NAME [KILL-POINT as JSON]
 *
 * Says `ready` and begins when it is told anything. Without a point it says at its end how often it came by each:
 * `point TIMES NAME`.
 */
import { readSync, writeSync } from 'node:fs';
import { JournalWriter } from '../../src/journal/append/writer.ts';
import { eraseEvents } from '../../src/journal/erase/erase.ts';
import type { Durability } from '../../src/journal/format/durability.ts';
import { JournalReader } from '../../src/journal/read/reader.ts';
import { compactJournal } from '../../src/journal/seal/compact.ts';
import { LEVEL_SEAL } from '../../src/journal/seal/seal.ts';
import type { Codec } from '../../src/platform/codecs/codecs.ts';
import { unlz4 } from '../../src/platform/codecs/lz4.ts';
import { unzstd } from '../../src/platform/codecs/zstd-read.ts';
import { loadZstd } from '../../src/platform/codecs/zstd-write.ts';
import { nodeFs } from '../../src/platform/fs.ts';
import { keepBlob } from './keep-blob.ts';
import { type KillPoint, withKillPoint } from './kill-points.ts';
import { processPorts } from './process-ports.ts';
import { appendAloud, eventOf, idOf, SECRET } from './test-events.ts';

const SEGMENT_BYTES = 12 * 1024;
/** More than a segment has. Where it dies does not depend on how much more, and `writer-process.ts` sends megabytes. */
const LARGE_BYTES = 20_000;
/** Nothing is sealed yet when it erases: what it rewrites is not packed. */
const STORING: Codec = { compress: () => undefined };

const [root, addons, name, given] = process.argv.slice(2) as [string, string, string, string?];
const point = given === undefined ? undefined : (JSON.parse(given) as KillPoint);
const counts = new Map<string, number>();

const decoders = { lz4: unlz4, zstd: unzstd };
const ports = { ...processPorts(addons), fs: withKillPoint(nodeFs, point, counts) };

async function main(): Promise<void> {
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

  appendAloud((batch) => writer.append(batch), [eventOf(name, 0, SECRET, 'process')], 0);
  n = 1;
  for (const durability of ['process', 'interval', 'disk'] as const)
    append(writer, durability, 300);
  append(writer, 'disk', 1500, 1500, 1500, 1500);
  append(writer, 'process', LARGE_BYTES);
  append(spooling, 'process', 300);
  append(spooling, 'disk', 300, 5000);
  // Another writer of the same process: only what one writer appends has its order.
  while (!writer.drain());
  append(writer, 'interval', 300);
  const blob = keepBlob(ports, root, Buffer.alloc(LARGE_BYTES, name))!;
  appendAloud((batch) => writer.append(batch), [eventOf(name, n, 2000, 'disk', blob)], n);
  n += 1;
  append(writer, 'disk', LARGE_BYTES, 300);
  erase();
  append(writer, 'process', 300);
  const zstd = await loadZstd();
  ifFree(() => compactJournal(ports, root, { zstd, decoders }, { level: LEVEL_SEAL }));
  append(writer, 'process', 300);
  append(writer, 'disk', 300);
  writer.close();
  spooling.close();
  writeSync(1, [...counts].map(([what, times]) => `point ${times} ${what}\n`).join(''));
}

/** Erases its first event. */
function erase(): void {
  const secret = idOf(`${name}:0`);
  const reader = new JournalReader(ports, root, decoders);
  let seq = 0;
  for (const { entry } of reader.entries()) if (entry?.id.equals(secret)) seq = entry.seq;
  writeSync(1, 'erasing 0\n');
  const choice = {
    by: 'event' as const,
    events: [{ origin: reader.origin()!, seq }],
    blobs: [],
    files: [],
  };
  ifFree(() => eraseEvents(ports, root, { zstd: STORING, decoders }, () => choice));
}

/** Work that others may be doing at the moment. */
function ifFree(work: () => void): void {
  try {
    work();
  } catch (error) {
    if ((error as { code?: string }).code !== 'CONTEXT_LOCKED') throw error;
  }
}

writeSync(1, 'ready\n');
readSync(0, Buffer.alloc(16));
void main();
