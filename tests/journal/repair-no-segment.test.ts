import { appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { listSegments } from '../../src/journal/layout.ts';
import { planRepair, repairJournal } from '../../src/journal/repair.ts';
import { verifyJournal } from '../../src/journal/verify.ts';
import { prompt } from '../log/events.ts';
import { decoders, openTestProject, scratch } from '../support.ts';

/** Three segments of an event each, and what takes the place of the second one. */
function journal(replace: (file: string) => void) {
  const project = openTestProject(scratch());
  const { ports, layout, writer } = project;
  for (const text of ['one', 'two', 'three']) {
    writer.append([prompt(text)]);
    if (text !== 'three') writer.rotate(0);
  }
  writer.close();
  const files = listSegments(ports.fs, layout);
  rmSync(files[1]!.path);
  replace(files[1]!.path);
  appendFileSync(files[2]!.path, 'x'.repeat(100));
  return { ...project, newest: files[2]!.path };
}

describe.each<[string, (file: string) => void]>([
  ['a folder', (file) => void mkdirSync(file)],
  ['a link', (file) => symlinkSync('/nowhere', file)],
])('behind %s in a segment’s place a torn end', (_, replace) => {
  it('is cut off by the next append, which goes on', () => {
    const { dir, newest } = journal(replace);
    const { writer } = openTestProject(dir);
    expect(writer.append([prompt('four')])).toMatchObject({ spooled: false });
    writer.close();
    expect(readFileSync(newest).includes('x'.repeat(100))).toBe(false);
  });

  it('is repaired with it, and both are told', () => {
    const { ports, root } = journal(replace);
    const kinds = planRepair(ports, root, decoders).map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['tail']));
    const { after, lost } = repairJournal(ports, root, decoders);
    expect(after.ok).toBe(true);
    expect(lost).toEqual([expect.objectContaining({ firstSeq: 2, lastSeq: 2 })]);
    expect(verifyJournal(ports, root, decoders).ok).toBe(true);
  });
});
