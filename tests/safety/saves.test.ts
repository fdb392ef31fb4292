import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Layout } from '../../src/journal/layout.ts';
import { readManifest, writeManifest } from '../../src/journal/manifest.ts';
import type { Project } from '../../src/project/open.ts';
import { save } from '../../src/timetravel/saves.ts';
import { realPorts } from '../support.ts';
import { imported, testProject, transcript } from '../timetravel/project.ts';

const WRITTEN = ['sync .tmp', 'rename to .ctx', 'sync folder'];

/** The project on the same disk, which notes what happens to saves. */
function noted(meanwhile: (layout: Layout) => void = () => {}): {
  project: Project;
  calls: string[];
} {
  const project = imported(
    testProject(),
    transcript('claude-2.1.329-real-todo-app/transcript.jsonl'),
  );
  const { fs } = project.ports;
  const calls: string[] = [];
  const opened = new Map<number, string>();
  const isSave = (name: string) => name.includes('/checkpoints/saves');
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
      if (!isSave(to)) return;
      calls.push(`rename to ${kind(to)}`);
      meanwhile(project.layout);
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

  it('that an erasure overtook stays away after a loss of power', () => {
    const { project, calls } = noted((layout) => {
      const manifest = readManifest(realPorts, layout)!;
      const erasureEpoch = manifest.erasureEpoch + 1;
      if (erasureEpoch === 1) writeManifest(realPorts, layout, { ...manifest, erasureEpoch });
    });
    save(project);
    expect(calls).toEqual([...WRITTEN, 'remove .ctx', 'sync folder', ...WRITTEN]);
  });
});
