import type { Entry } from '../../src/journal/format/frame.ts';
import { hintPath } from '../../src/journal/format/hint.ts';
import { ensureLayout, layoutOf, originDir, segmentPath } from '../../src/journal/format/layout.ts';
import { type Manifest, writeManifest } from '../../src/journal/format/manifest.ts';
import type { JournalPorts } from '../../src/journal/format/ports.ts';
import type { Codec } from '../../src/platform/codecs/codecs.ts';
import type { Hash64 } from '../../src/platform/xxh64.ts';
import { STORED } from '../../src/project/stored.ts';
import { writeHint } from '../hints.ts';
import { Chance } from './chance.ts';
import { craftActive, craftSealed, headerOf, namesOf, type Stretch, saltOf } from './craft.ts';
import { START_MS } from './entries.ts';
import { MemoryFs } from './memory-fs.ts';

/** A journal in memory, one segment of which is going to be damaged. */
export interface TestJournal {
  name: string;
  root: string;
  fs: MemoryFs;
  ports: JournalPorts;
  /** Path of the segment. */
  target: string;
  /** Of the target where it is a segment. */
  salt: bigint;
  isSealed: boolean;
  stretches: Stretch[];
  /** The same of every segment, by its name. */
  stretchesOf: ReadonlyMap<string, readonly Stretch[]>;
  /** First seqs of losses that the journal records itself. */
  recorded?: readonly number[];
  /** Where the target is a blob, what is in it. */
  text?: Buffer;
  /** All that was written, by seq. */
  written: Map<number, Entry>;
}

export const ROOT = '/project/.ben10';
export const BLOB_KEY = '33'.repeat(32);

/** @param start when they are used first, milliseconds since the epoch */
export function portsOn(
  fs: MemoryFs,
  xxh64: Hash64,
  chance: Chance,
  start = START_MS,
): JournalPorts {
  let now = start;
  return {
    fs,
    xxh64,
    stored: STORED,
    random: chance,
    clock: {
      now: () => {
        now += 1;
        return now;
      },
      sleep: () => undefined,
    },
    // One process: nobody else is there to hold it.
    lock: { tryLock: () => true, unlock: () => undefined },
  };
}

/** What a corpus is made with. */
export interface Makers {
  zstd: Codec;
  xxh64: Hash64;
}

/** One segment of a journal that is going to be crafted: entries, or chunks of them. */
export type Plan = readonly Entry[] | { chunks: readonly (readonly Entry[])[] };

/** A journal of the given segments, synced up to its last event. */
export function craftJournal(
  name: string,
  plans: readonly Plan[],
  target: number,
  { zstd, xxh64 }: Makers,
  change: Partial<Manifest> = {},
): TestJournal {
  const fs = new MemoryFs({ files: new Map(), folders: new Set(['/', '/project']) });
  const ports = portsOn(fs, xxh64, new Chance(1));
  const layout = layoutOf(ROOT);
  const names = namesOf(name, xxh64);
  ensureLayout(fs, layout);
  writeManifest(ports, layout, {
    format: 1,
    ...names,
    createdAt: START_MS,
    generation: 0,
    erasureEpoch: 0,
    blobKey: BLOB_KEY,
    ...change,
  });
  fs.mkdir(originDir(layout, names.origin));
  const written = new Map<number, Entry>();
  let chain: Buffer = Buffer.alloc(32);
  const stretchesOf = new Map<string, readonly Stretch[]>();
  let targeted: { path: string; isSealed: boolean; stretches: Stretch[] } | undefined;
  for (const [index, plan] of plans.entries()) {
    const isSealed = 'chunks' in plan;
    const entries = isSealed ? plan.chunks.flat() : plan;
    const { seq: first } = entries[0]!;
    // Behind events that are lost, the chain is lost with them.
    if (first > 1 && !written.has(first - 1)) chain = Buffer.alloc(32);
    for (const entry of entries) written.set(entry.seq, entry);
    const header = headerOf(names, first, chain, saltOf(name, index, xxh64));
    const crafted = isSealed
      ? craftSealed(header, plan.chunks, zstd, xxh64)
      : craftActive(header, plan, xxh64);
    chain = crafted.chain;
    const path = segmentPath(layout, names.origin, first, isSealed);
    put(fs, path, crafted.bytes);
    stretchesOf.set(path.slice(path.lastIndexOf('/') + 1), crafted.stretches);
    if (index === target) targeted = { path, isSealed, stretches: crafted.stretches };
  }
  const last = Math.max(...written.keys());
  writeHint(ports, hintPath(layout, names.origin), { syncedUpto: last, syncedAt: START_MS });
  const { path, isSealed, stretches } = targeted!;
  // Reading must not depend on a lock: what is not whole is then judged as it stands.
  const readPorts = { ...ports, lock: undefined };
  return {
    name,
    root: ROOT,
    fs,
    ports: readPorts,
    target: path,
    salt: saltOf(name, target, xxh64),
    isSealed,
    stretches,
    stretchesOf,
    written,
  };
}

export function put(fs: MemoryFs, path: string, bytes: Buffer): void {
  const fd = fs.open(path, 'wx');
  fs.write(fd, bytes, 0);
  fs.close(fd);
}
