import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { putBlob } from '../../../src/journal/append/blobs.ts';
import { spool } from '../../../src/journal/append/inbox.ts';
import { originDir } from '../../../src/journal/format/layout.ts';
import { readManifest } from '../../../src/journal/format/manifest.ts';
import { otherOrigins } from '../../../src/journal/read/origins.ts';
import { isTakenAway } from '../../../src/journal/verify/taken-away.ts';
import { save } from '../../../src/timetravel/saves.ts';
import { prompt } from '../../log/events.ts';
import { codeOf, openTestProject, scratch } from '../../support.ts';

/** A project with one event, and what takes its segments away. */
function recorded() {
  const project = openTestProject(scratch());
  project.writer.append([prompt('hello')]);
  const { ports, layout } = project;
  const { origin, blobKey } = readManifest(ports, layout)!;
  const takeAway = () => rmSync(originDir(layout, origin), { recursive: true });
  return { project, ports, layout, blobKey, takeAway };
}

describe('a journal without a segment', () => {
  it('was taken away where a state or a text of its events is stored', () => {
    const one = recorded();
    save(one.project, { name: 'kept' });
    expect(isTakenAway(one.ports, one.layout)).toBe(false);
    one.takeAway();
    expect(isTakenAway(one.ports, one.layout)).toBe(true);
    const other = recorded();
    putBlob(other.ports, other.layout, other.blobKey, Buffer.alloc(3000));
    other.takeAway();
    expect(isTakenAway(other.ports, other.layout)).toBe(true);
  });

  it('is empty where nothing is stored, and where an event waits, whose text may be there before it', () => {
    const { ports, layout, blobKey, takeAway } = recorded();
    takeAway();
    expect(isTakenAway(ports, layout)).toBe(false);
    putBlob(ports, layout, blobKey, Buffer.alloc(3000));
    spool(ports, layout, [prompt('waits')]);
    expect(isTakenAway(ports, layout)).toBe(false);
    expect(otherOrigins(ports, layout)).toEqual([]);
  });

  it.runIf(process.platform !== 'win32')(
    'is refused where a link stands in the place of its folder: what it names may hold all events',
    () => {
      const { project, ports, layout, takeAway } = recorded();
      const folder = originDir(layout, readManifest(ports, layout)!.origin);
      cpSync(folder, `${project.dir}/elsewhere`, { recursive: true });
      takeAway();
      symlinkSync(`${project.dir}/elsewhere`, folder);
      expect(codeOf(() => isTakenAway(ports, layout))).toBe('JOURNAL_UNSAFE');
    },
  );
});

describe('a folder of segments beside the own one', () => {
  it('is another origin’s where it holds any, whoever brought it', () => {
    const { ports, layout } = recorded();
    const [own, other] = [readManifest(ports, layout)!.origin, 'ab'.repeat(16)];
    cpSync(originDir(layout, own), originDir(layout, other), { recursive: true });
    mkdirSync(originDir(layout, 'cd'.repeat(16)));
    expect(otherOrigins(ports, layout)).toEqual([other]);
  });
});
