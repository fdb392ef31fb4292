import {
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { unreadableLine } from '../../src/cli/ui/unreadable.ts';
import { spool } from '../../src/journal/append/inbox.ts';
import { repairJournal } from '../../src/journal/repair/repair.ts';
import { queryLog } from '../../src/log/query.ts';
import { Unread, unreadableIn } from '../../src/log/unreadable.ts';
import type { Project } from '../../src/project/open.ts';
import { decoders, openTestProject } from '../support.ts';
import { prompt } from './events.ts';

const SEGMENT = '0000000000000001.b10';

function journal(): { project: Project; file: string } {
  const project = openTestProject();
  project.writer.append(['one', 'two', 'three', 'four'].map((text) => prompt(text.repeat(9))));
  const [segment] = project.reader.segments();
  return { project, file: segment!.path };
}

function overwrite(file: string, at: number, length: number): void {
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(0xff, at, at + length));
}

/** What a reading of the log notes, and what it shows. */
function read(project: Project, query = {}) {
  const unread = new Unread();
  const seqs = [...queryLog(project, { ...query, unread })].map(({ seq }) => seq);
  return { seqs, unreadable: unread.of(project) };
}

describe('what of a journal cannot be read', () => {
  it('is null where all of it was read', () => {
    const { project } = journal();
    expect(unreadableIn(project)).toBeNull();
    expect(read(project)).toEqual({ seqs: [1, 2, 3, 4], unreadable: null });
    expect(unreadableIn(openTestProject())).toBeNull();
  });

  it('is counted where the damage says how many', () => {
    const { project, file } = journal();
    for (const text of ['two', 'three']) overwrite(file, readFileSync(file).indexOf(text), 12);
    const unreadable = { events: 2, segments: [SEGMENT] };
    expect(unreadableIn(project)).toEqual(unreadable);
    expect(read(project)).toEqual({ seqs: [1, 4], unreadable });
    // Asked for the newest ones by time, the log is read twice.
    expect(read(project, { limit: 1, since: 0 })).toEqual({ seqs: [4], unreadable });
  });

  it('is told to stand before a segment that is sound, where the one before that is gone', () => {
    const { project, file } = journal();
    project.writer.rotate(0);
    project.writer.append([prompt('five')]);
    rmSync(file);
    const unreadable = unreadableIn(project)!;
    const next = '0000000000000005.b10';
    expect(unreadable).toEqual({ events: 4, segments: [next], before: [next] });
    expect(unreadableLine(unreadable)).toBe(
      `4 events could not be read, before ${next}: run ben10 verify`,
    );
  });

  it('is told to be gone from the end, where a reading meets nothing', () => {
    const cut = journal();
    truncateSync(cut.file, readFileSync(cut.file).indexOf('three'));
    const deleted = journal();
    deleted.project.writer.rotate(0);
    const synced = (text: string) => ({ ...prompt(text), durability: 'disk' as const });
    deleted.project.writer.append([synced('five'), synced('six')]);
    for (const { path: file } of deleted.project.reader.segments().slice(1)) rmSync(file);
    for (const [{ project: before }, seqs] of [
      [cut, [1, 2]],
      [deleted, [1, 2, 3, 4]],
    ] as const) {
      // Who wrote them still has them in its memory.
      const project = openTestProject(before.dir);
      const unreadable = { events: 2, segments: [], atEnd: true };
      expect(read(project)).toEqual({ seqs, unreadable });
      expect(unreadableIn(project)).toEqual(unreadable);
      expect(unreadableLine(unreadableIn(project)!)).toBe(
        '2 events could not be read, at the end: run ben10 verify',
      );
      // Nobody asked for it.
      const unread = new Unread();
      expect([...queryLog(project, { to: 2, unread })]).toHaveLength(2);
      expect(unread.of(project, 2)).toBeNull();
      repairJournal(project.ports, project.root, decoders);
      expect(unreadableIn(openTestProject(project.dir))).toBeNull();
    }
  });

  it('is an unknown number where a header is lost, or a link stands in the place of a segment', () => {
    const unreadable = { events: null, segments: [SEGMENT] };
    const lost = journal();
    overwrite(lost.file, 20, 3);
    expect(read(lost.project)).toEqual({ seqs: [], unreadable });
    const linked = journal();
    renameSync(linked.file, `${linked.file}.elsewhere`);
    symlinkSync(`${linked.file}.elsewhere`, linked.file);
    expect(read(linked.project)).toEqual({ seqs: [], unreadable });
  });

  it('is not what a repair recorded as lost for good', () => {
    const { project, file } = journal();
    overwrite(file, readFileSync(file).indexOf('two'), 12);
    expect(repairJournal(project.ports, project.root, decoders).lost).toHaveLength(1);
    const again = openTestProject(project.dir);
    expect(read(again).unreadable).toBeNull();
    expect(unreadableIn(again)).toBeNull();
  });

  it('is what waits in the inbox, damaged, and no less', () => {
    const { project } = journal();
    const name = spool(project.ports, project.layout, [prompt('waits')]);
    expect(unreadableIn(project)).toBeNull();
    overwrite(path.join(project.layout.inbox, name), 40, 4);
    expect(unreadableIn(project)).toEqual({ events: null, segments: [`inbox/${name}`] });
  });

  it('counts an event whose text beside the journal is gone', () => {
    const { project } = journal();
    const unread = new Unread();
    for (const seq of [2, 3, 3]) unread.noteBlob(seq, 'ab');
    expect(unread.of(project)).toEqual({ events: 2, segments: ['blobs/ab'] });
  });
});
