import { readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { LockFile } from '../../../src/journal/append/locking.ts';
import { loadZstd } from '../../../src/platform/codecs/zstd-write.ts';
import type { Ben10Config } from '../../../src/platform/config/keys.ts';
import type { Project } from '../../../src/project/open.ts';
import { context } from '../../../src/projections/folds/context.ts';
import { restore } from '../../../src/timetravel/restore.ts';
import { tidyStored } from '../../../src/timetravel/retention/tidy.ts';
import { save } from '../../../src/timetravel/saves.ts';
import { archiveStored } from '../../../src/timetravel/snapshots/archive.ts';
import { listSnapshots } from '../../../src/timetravel/snapshots/indexed.ts';
import { snapshotRetention } from '../../../src/timetravel/snapshots/prune.ts';
import { prompt } from '../../log/events.ts';
import { scratch } from '../../support.ts';
import { loadSnapshot, SESSION, taken, todo } from './support.ts';

const zstd = await loadZstd();
const LEVEL = 19;
const POLICY = {
  enabled: true,
  retentionCount: 5,
  retentionDays: 30,
  maxStorageMb: 500,
  compressionLevel: LEVEL,
};

describe('archiveStored', () => {
  it('makes saves and snapshots smaller, with the same in them, once', () => {
    const project = todo();
    const saved = save(project, { name: 'n' });
    const [made] = taken(project);
    const files = [saved.file, made!.file].map((file) => path.join(project.root, file));
    const before = files.map((file) => statSync(file).size);
    const state = loadSnapshot(project, made!.snapshot);
    const archived = archiveStored(project, zstd, LEVEL)!;
    const after = files.map((file) => statSync(file).size);
    expect(archived).toEqual({
      files: 2,
      bytesBefore: before[0]! + before[1]!,
      bytesAfter: after[0]! + after[1]!,
    });
    expect(after[1]).toBeLessThan(before[1]! * 0.9);
    for (const file of files) expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(loadSnapshot(project, made!.snapshot)).toEqual(state);
    expect(restore(project, { name: 'n', mode: 'summary' }).notes).toEqual([]);
    expect(listSnapshots(project).snapshots[0]).toMatchObject({
      bytes: after[1],
      contentHash: made!.contentHash,
    });
    expect(archiveStored(project, zstd, LEVEL)).toMatchObject({ files: 0 });
  });

  it('leaves a damaged one for its reader, and one that does not get smaller as it is', () => {
    const project = todo();
    const [first, second] = taken(project, 2).map(({ file }) => path.join(project.root, file));
    const damaged = readFileSync(first!).fill(0xff, 300, 301);
    writeFileSync(first!, damaged);
    const idle = { compress: () => undefined };
    const before = readFileSync(second!);
    expect(archiveStored(project, idle, LEVEL)).toMatchObject({ files: 0 });
    expect(readFileSync(first!)).toEqual(damaged);
    expect(readFileSync(second!)).toEqual(before);
  });

  it('replaces nothing by what does not read back the same', () => {
    const project = todo();
    const [made] = taken(project);
    const file = path.join(project.root, made!.file);
    const before = readFileSync(file);
    const wrong = {
      compress: (bytes: Uint8Array, level: number) =>
        zstd.compress(Uint8Array.from(bytes).fill(7, 0, 9), level),
    };
    expect(archiveStored(project, wrong, LEVEL)).toMatchObject({ files: 0 });
    expect(readFileSync(file)).toEqual(before);
  });

  it('replaces nothing behind a link', () => {
    for (const folder of ['checkpoints', 'checkpoints/saves', 'compaction-snapshots']) {
      const project = todo();
      save(project, { name: 'n' });
      taken(project);
      const [inside, outside] = [path.join(project.root, folder), path.join(scratch(), 'moved')];
      renameSync(inside, outside);
      symlinkSync(outside, inside);
      expect(archiveStored(project, zstd, LEVEL), folder).toMatchObject({ files: 1 });
    }
  });

  it('waits for another time while a compaction or an erasure is running', () => {
    const project = todo();
    taken(project);
    const lock = new LockFile(project.ports, project.layout.compactLock);
    const inside = lock.hold(0, () => archiveStored(project, zstd, LEVEL));
    lock.close();
    expect(inside).toEqual({ value: undefined });
    expect(archiveStored(project, zstd, LEVEL)).toMatchObject({ files: 1 });
  });

  it('has the new file on the disk before it takes the old one’s name', () => {
    const project = todo();
    taken(project);
    const { fs } = project.ports;
    const calls: string[] = [];
    const opened = new Map<number, string>();
    const noting: typeof fs = {
      ...fs,
      open(name, flags, mode) {
        const fd = fs.open(name, flags, mode);
        opened.set(fd, name);
        return fd;
      },
      datasync(fd) {
        fs.datasync(fd);
        calls.push(`sync ${path.extname(opened.get(fd) ?? '')}`);
      },
      rename(from, to) {
        fs.rename(from, to);
        calls.push(`rename to ${path.extname(to)}`);
      },
      syncDir(name) {
        fs.syncDir(name);
        calls.push(`sync ${path.basename(name)}`);
      },
    };
    const ports = { ...project.ports, fs: noting };
    archiveStored(Object.create(project, { ports: { value: ports } }) as Project, zstd, LEVEL);
    expect(calls).toEqual(['sync .tmp', 'rename to .ctx', 'sync compaction-snapshots']);
  });
});

function tidy(project: Project, policy: Partial<typeof POLICY>, kept = 0) {
  const settings = { compactionSnapshots: { ...POLICY, ...policy } } as Ben10Config['context'];
  return tidyStored(project, zstd, settings, () => kept, [snapshotRetention]);
}

describe('tidyStored', () => {
  it('removes by count first, packs the rest, and by size only what is too large even so', () => {
    const project = todo();
    const made = taken(project, 4);
    // Of a size that all three fit into only when they are packed.
    const loose = made[3]!.bytes / 1_000_000;
    const tidied = tidy(project, { retentionCount: 3, maxStorageMb: loose * 2.9 });
    expect(tidied.removed).toEqual([{ what: 'snapshot', id: made[0]!.snapshot, why: 'count' }]);
    expect(tidied.archived).toMatchObject({ files: 3 });
    const tight = tidy(project, { maxStorageMb: loose / 1000 });
    expect(tight.removed.map(({ why }) => why)).toEqual(['size', 'size']);
    expect(listSnapshots(project).snapshots.map(({ id }) => id)).toEqual([made[3]!.snapshot]);
  });

  it('removes for size what can be made again before any snapshot', () => {
    const project = todo();
    const made = taken(project, 3);
    for (let n = 0; n < 3; n += 1) {
      project.recorder.append([prompt(`Step ${n}.`, { session: SESSION })]);
      project.states.checkpoint(context, SESSION);
    }
    const gone: string[] = [];
    const fs = {
      ...project.ports.fs,
      unlink(name: string) {
        gone.push(path.extname(name));
        project.ports.fs.unlink(name);
      },
    };
    const limited = Object.create(project, {
      ports: { value: { ...project.ports, fs } },
      maxStorageMb: { value: 0 },
    }) as Project;
    const tidied = tidy(limited, { maxStorageMb: 0 }, 1_000_000);
    expect(tidied.states.files).toBeGreaterThan(1);
    expect(tidied.removed).toHaveLength(made.length - 1);
    const order = gone.filter((one) => one === '.ckpt' || one === '.ctx');
    expect(order).toEqual([
      ...Array.from({ length: tidied.states.files }, () => '.ckpt'),
      ...tidied.removed.map(() => '.ctx'),
    ]);
  });
});
