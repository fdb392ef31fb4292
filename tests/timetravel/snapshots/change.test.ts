import { existsSync, readdirSync, renameSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Project } from '../../../src/project/open.ts';
import {
  NOTE_CHARS_MAX,
  TAG_CHARS_MAX,
  TAGS_MAX,
} from '../../../src/projections/folds/snapshots.ts';
import {
  annotateSnapshot,
  deleteSnapshot,
  PINNED_MAX,
} from '../../../src/timetravel/snapshots/change.ts';
import { listSnapshots, showSnapshot } from '../../../src/timetravel/snapshots/indexed.ts';
import { scratch } from '../../support.ts';
import { saw, tell } from '../../tell.ts';
import { SESSION, taken, todo } from './support.ts';

const failing = (code: string) => expect.objectContaining({ code });

function one(): { project: Project; id: string; file: string } {
  const project = todo();
  const [made] = taken(project);
  return { project, id: made!.snapshot, file: path.join(project.root, made!.file) };
}

describe('annotateSnapshot', () => {
  it('pins and unpins, adds and takes away tags, and notes; what is left out stays', () => {
    const { project, id } = one();
    expect(annotateSnapshot(project, id.slice(0, 6), { pinned: true }).pinned).toBe(true);
    annotateSnapshot(project, id, { addTags: ['before-refactoring', 'keep'] });
    annotateSnapshot(project, id, { note: ' The last one that worked. ' });
    annotateSnapshot(project, id, { removeTags: ['keep'], addTags: ['keep', 'x'] });
    expect(showSnapshot(project, id)).toMatchObject({
      pinned: true,
      tags: ['before-refactoring', 'keep', 'x'],
      note: 'The last one that worked.',
    });
    annotateSnapshot(project, id, { removeTags: ['before-refactoring', 'never there'] });
    expect(annotateSnapshot(project, id, { note: '' })).toMatchObject({
      note: '',
      tags: ['keep', 'x'],
    });
    expect(annotateSnapshot(project, id, { pinned: false }).pinned).toBe(false);
  });

  it('says so when it has none of the tags that are to go', () => {
    const { project, id } = one();
    annotateSnapshot(project, id, { addTags: ['kept'] });
    const attempt = () => annotateSnapshot(project, id, { removeTags: ['absent'] });
    expect(attempt).toThrow(
      expect.objectContaining({
        code: 'USAGE',
        message: `snapshot ${id} has no such tag`,
        next: 'It has: kept',
      }),
    );
    expect(showSnapshot(project, id).tags).toEqual(['kept']);
  });

  it('takes as many tags, and as long ones and notes, as were promised, and no more', () => {
    const { project, id } = one();
    const tags = Array.from({ length: TAGS_MAX }, (_, n) => `t${n}`);
    const longest = 'x'.repeat(TAG_CHARS_MAX);
    annotateSnapshot(project, id, { addTags: [...tags.slice(1), longest] });
    expect(() => annotateSnapshot(project, id, { addTags: ['one-more'] })).toThrow(
      failing('LIMIT_EXCEEDED'),
    );
    for (const tag of ['', ' ', `${longest}x`, 'two words', 'a\x1b[1m', 'a\u202eb']) {
      expect(() => annotateSnapshot(project, id, { addTags: [tag] })).toThrow(failing('USAGE'));
    }
    const note = 'n'.repeat(NOTE_CHARS_MAX);
    expect(annotateSnapshot(project, id, { note }).note).toBe(note);
    expect(() => annotateSnapshot(project, id, { note: `${note}n` })).toThrow(failing('USAGE'));
    expect(() => annotateSnapshot(project, id, { note: 'a\x1b]0;title\x07b' })).toThrow(
      failing('USAGE'),
    );
  });

  it('keeps no secret that a note holds', () => {
    const { project, id } = one();
    const { note } = annotateSnapshot(project, id, { note: `token ghp_${'a1B2'.repeat(9)}` });
    expect(note).toMatch(/^token \[REDACTED/);
  });

  it('pins only so many: they are never removed', () => {
    const { project, id } = one();
    const [other] = taken(project);
    const ids = Array.from({ length: PINNED_MAX - 1 }, (_, n) => n.toString(16).padStart(16, '0'));
    const pinned = ids.flatMap((snapshot) => [
      saw('snapshot.created', { ...other!, file: 'none', snapshot }, { session: SESSION }),
      saw('snapshot.annotated', { snapshot, pinned: true }, { session: SESSION }),
    ]);
    tell(project, ...pinned);
    annotateSnapshot(project, id, { pinned: true });
    annotateSnapshot(project, id, { pinned: true });
    expect(() => annotateSnapshot(project, other!.snapshot, { pinned: true })).toThrow(
      failing('LIMIT_EXCEEDED'),
    );
  });
});

describe('deleteSnapshot', () => {
  it('removes the file and the entry; the point stays as the event that it was up to', () => {
    const { project, id, file } = one();
    expect(deleteSnapshot(project, id.slice(0, 8)).id).toBe(id);
    expect(existsSync(file)).toBe(false);
    expect(listSnapshots(project)).toMatchObject({ count: 0, bytes: 0, lastPruned: null });
    expect(() => deleteSnapshot(project, id)).toThrow(failing('SNAPSHOT_NOT_FOUND'));
  });

  it('asks whoever deletes a pinned one to insist', () => {
    const { project, id, file } = one();
    annotateSnapshot(project, id, { pinned: true });
    expect(() => deleteSnapshot(project, id)).toThrow(failing('USAGE'));
    expect(existsSync(file)).toBe(true);
    deleteSnapshot(project, id, { force: true });
    expect(existsSync(file)).toBe(false);
  });

  it('removes nothing behind a link', () => {
    const { project, id } = one();
    const outside = path.join(scratch(), 'moved');
    renameSync(project.layout.snapshots, outside);
    symlinkSync(outside, project.layout.snapshots);
    expect(() => deleteSnapshot(project, id)).toThrow(failing('JOURNAL_UNSAFE'));
    expect(readdirSync(outside)).toHaveLength(1);
  });

  it('removes no file but a snapshot’s own, whatever an event claims', () => {
    const project = todo();
    const [made] = taken(project);
    const before = readdirSync(project.root, { recursive: true });
    for (const [n, file] of [
      'journal/manifest',
      '../x',
      `compaction-snapshots/../journal/manifest`,
    ].entries()) {
      const snapshot = `${n}`.padStart(16, 'a');
      const data = { ...made!, snapshot, file };
      tell(project, saw('snapshot.created', data, { session: SESSION }));
      expect(showSnapshot(project, snapshot).bytes).toBe(0);
      deleteSnapshot(project, snapshot);
    }
    expect(readdirSync(project.root, { recursive: true })).toEqual(before);
  });
});
