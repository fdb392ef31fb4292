import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { compactJournal } from '../../src/journal/compact.ts';
import { typeTag } from '../../src/journal/envelope.ts';
import type { NewEvent } from '../../src/journal/inbox.ts';
import type { JournalPorts } from '../../src/journal/ports.ts';
import { JournalWriter } from '../../src/journal/writer.ts';
import type { Codec, Decoders } from '../../src/platform/codecs/codecs.ts';
import { nodeFs } from '../../src/platform/fs.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import { bytesOf, EPOCH_MS, sha256 } from './bytes.ts';
import { type Draft, draft, drafts } from './compose.ts';
import type { MadeVector } from './model.ts';
import { manifestFile } from './vector.ts';

const SEGMENT_BYTES = 1024;

/**
 * A journal that the program's own writer and compaction made: appends, rotations, a drained inbox, sealing, and
 * an active segment behind it. From the day on which format 1 is frozen this folder is never written again.
 */
export function evolutionVectors(codecs: { zstd: Codec; decoders: Decoders }): MadeVector[] {
  const root = mkdtempSync(path.join(tmpdir(), 'ben10-vectors-'));
  try {
    const list = write(root, codecs);
    const events = list.map((one, index) => ({
      seq: index + 1,
      type: one.type,
      id: bytesOf(`${one.label} id`, 16).toString('hex'),
      sha256: sha256(one.payload),
    }));
    const why = 'What this version of the program writes: sealed segments, then an active one.';
    const vector = {
      path: 'evolution/1',
      kind: 'journal' as const,
      why,
      events,
      waiting: [],
      damage: [],
    };
    return [{ vector, files: filesUnder(path.join(root, 'journal')) }];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** @returns the events in the order in which they got their seqs */
function write(root: string, codecs: { zstd: Codec; decoders: Decoders }): Draft[] {
  const clock = { ms: EPOCH_MS };
  const ports = portsOf(clock);
  const early = [...drafts('written', 12), draft('turn', { type: 'turn.ended', data: {} })];
  const spooled = drafts('spooled', 2);
  const late = drafts('written later', 3);
  nodeFs.mkdir(`${root}/journal`);
  const fd = nodeFs.open(`${root}/journal/manifest`, 'wx');
  nodeFs.write(fd, manifestFile(), 0);
  nodeFs.close(fd);
  const append = (list: Draft[], one: JournalPorts): void => {
    const writer = new JournalWriter(one, root, { lockBudgetMs: 0, segmentBytes: SEGMENT_BYTES });
    for (const event of list) {
      clock.ms += 1000;
      writer.append([newEvent(event)]);
    }
    writer.close();
  };
  append(early, ports);
  append(spooled, { ...ports, lock: undefined });
  // Takes the spooled ones along, before its own.
  append(late, ports);
  compactJournal(ports, root, codecs, { level: 3 });
  const last = drafts('written last', 2);
  append(last, ports);
  return [...early, ...spooled, ...late, ...last];
}

const newEvent = (one: Draft): NewEvent => ({
  id: bytesOf(`${one.label} id`, 16),
  typeTag: typeTag(one.type!, xxh64),
  payload: one.payload,
  durability: one.type === 'turn.ended' ? 'disk' : 'process',
});

/** A clock that moves when told to, bytes that depend on how many are asked for, a lock that nobody else wants. */
function portsOf(clock: { ms: number }): JournalPorts {
  const asked = new Map<number, number>();
  return {
    // The folder that is made for this is another one each time.
    fs: { ...nodeFs, stat: (file) => ({ ...nodeFs.stat(file), ino: 1, bornMs: EPOCH_MS }) },
    clock: { now: () => clock.ms, sleep: () => undefined },
    random: {
      fill(bytes) {
        const count = (asked.get(bytes.length) ?? 0) + 1;
        asked.set(bytes.length, count);
        bytes.set(bytesOf(`random ${bytes.length} #${count}`, bytes.length));
      },
    },
    lock: { tryLock: () => true, unlock: () => undefined },
    xxh64,
  };
}

/** Empty files and folders are left out: version control would not keep the folders. */
function filesUnder(folder: string, prefix = ''): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (const name of readdirSync(folder).sort()) {
    const file = path.join(folder, name);
    if (statSync(file).isDirectory()) {
      for (const [inner, bytes] of filesUnder(file, `${prefix}${name}/`)) files.set(inner, bytes);
    } else if (statSync(file).size > 0) files.set(`${prefix}${name}`, readFileSync(file));
  }
  return files;
}
