import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hintPath } from '../../../src/journal/format/hint.ts';
import { listSegments } from '../../../src/journal/format/layout.ts';
import { planRepair, repairJournal } from '../../../src/journal/repair/repair.ts';
import { verifyJournal } from '../../../src/journal/verify/verify.ts';
import { prompt } from '../../log/events.ts';
import { decoders, openTestProject, scratch } from '../../support.ts';

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
    const items = planRepair(ports, root, decoders);
    expect(items.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['tail']));
    expect(items.map(({ what }) => what).join()).toMatch(/(?:link|no file).* is in its place/);
    const { after, lost } = repairJournal(ports, root, decoders);
    expect(after.ok).toBe(true);
    expect(lost).toEqual([expect.objectContaining({ firstSeq: 2, lastSeq: 2 })]);
    expect(verifyJournal(ports, root, decoders).ok).toBe(true);
  });
});

describe('folders and links in the place of the last segments', () => {
  function spoilt() {
    const made = journal((file) => void mkdirSync(file));
    rmSync(made.newest);
    symlinkSync('/nowhere', made.newest);
    return made;
  }

  it('are all set aside, also below a name that no journal comes to', () => {
    const { ports, root, layout, newest } = spoilt();
    writeFileSync(newest.replace(/\d{16}(?=\.b10)/, '9007199254740991'), 'no segment');
    const planned = planRepair(ports, root, decoders).map(({ action }) => action);
    expect(planned).toEqual(['set-aside', 'set-aside', 'set-aside']);
    const { after, kept } = repairJournal(ports, root, decoders);
    expect([after.damage, kept.length]).toEqual([[], 3]);
    expect(readdirSync(layout.quarantine).sort()).toEqual([...kept].sort());
  });

  it('are recorded as lost, though no sync was told of, and their seqs are given to no other event', () => {
    const { dir, ports, root, layout } = spoilt();
    const { origin } = listSegments(ports.fs, layout)[0]!;
    rmSync(hintPath(layout, origin), { force: true });
    expect(verifyJournal(ports, root, decoders).damage).toMatchObject([
      { firstSeq: 2, lastSeq: 2 },
      { firstSeq: 3 },
    ]);
    const { after, lost } = repairJournal(ports, root, decoders);
    expect(after.damage).toEqual([]);
    expect(lost).toMatchObject([{ firstSeq: 2 }]);
    expect(lost[0]!.lastSeq).toBeGreaterThanOrEqual(3);
    const { writer, reader } = openTestProject(dir);
    writer.append([prompt('four')]);
    const seqs = [...reader.entries()].flatMap(({ entry }) => entry?.seq ?? []);
    expect(seqs.filter((seq) => seq === 2 || seq === 3)).toEqual([]);
  });
});
