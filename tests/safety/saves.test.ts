import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Project } from '../../src/project/open.ts';
import { save } from '../../src/timetravel/saves.ts';
import { deleteSnapshot } from '../../src/timetravel/snapshots/change.ts';
import { takeSnapshot } from '../../src/timetravel/snapshots/take.ts';
import { imported, testProject, transcript } from '../timetravel/project.ts';

const WRITTEN = ['sync .tmp', 'rename to .ctx', 'sync folder'];

/** The project on the same disk, which notes what happens to saves and snapshots. */
function noted(): { project: Project; calls: string[] } {
  const project = imported(
    testProject(),
    transcript('claude-2.1.329-real-todo-app/transcript.jsonl'),
  );
  const { fs } = project.ports;
  const calls: string[] = [];
  const opened = new Map<number, string>();
  const isSave = (name: string) => /\/(?:checkpoints\/saves|compaction-snapshots)/.test(name);
  const kind = (name: string) => path.extname(name) || 'folder';
  const noting: typeof fs = {
    ...fs,
    open(name, flags, mode) {
      const fd = fs.open(name, flags, mode);
      opened.set(fd, name);
      return fd;
    },
    datasync(fd) {
      fs.datasync(fd);
      if (isSave(opened.get(fd) ?? '')) calls.push(`sync ${kind(opened.get(fd)!)}`);
    },
    rename(from, to) {
      fs.rename(from, to);
      if (isSave(to)) calls.push(`rename to ${kind(to)}`);
    },
    unlink(name) {
      fs.unlink(name);
      if (isSave(name)) calls.push(`remove ${kind(name)}`);
    },
    syncDir(name) {
      fs.syncDir(name);
      if (isSave(name)) calls.push('sync folder');
    },
  };
  const ports = { ...project.ports, fs: noting };
  return { project: Object.create(project, { ports: { value: ports } }) as Project, calls };
}

describe('a save', () => {
  it('is on the disk, by its name, before it is named in an event', () => {
    const { project, calls } = noted();
    save(project);
    expect(calls).toEqual(WRITTEN);
  });
});

describe('a snapshot', () => {
  it('that was deleted stays away after a loss of power', () => {
    const { project, calls } = noted();
    const session = project.states.activeSession()!;
    const { snapshot } = takeSnapshot(project, { session, trigger: 'manual' });
    deleteSnapshot(project, snapshot);
    expect(calls).toEqual([...WRITTEN, 'remove .ctx', 'sync folder']);
  });
});
