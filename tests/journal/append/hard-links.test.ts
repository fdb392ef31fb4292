import { linkSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { JournalWriter } from '../../../src/journal/append/writer.ts';
import { JournalReader } from '../../../src/journal/read/reader.ts';
import { verifyJournal } from '../../../src/journal/verify/verify.ts';
import { decoders, newEvent, realPorts, scratch } from '../../support.ts';

/** A journal, and the one file of its origin's folder whose name ends so. */
function journal() {
  const dir = scratch();
  const root = path.join(dir, '.ben10');
  const open = () => new JournalWriter(realPorts, root, { lockBudgetMs: 1000 });
  const writer = open();
  writer.append([newEvent({}, 'disk'), newEvent({}, 'disk')]);
  const fileOf = (end: string): string => {
    const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
    return path.join(root, names.find((name) => name.endsWith(end))!);
  };
  const seqs = () =>
    [...new JournalReader(realPorts, root, decoders).entries()].map(({ entry }) => entry?.seq);
  return { dir, root, open, writer, fileOf, seqs };
}

describe('a file of the journal that has another name elsewhere', () => {
  it('is appended to under its own name only: a backup made of hard links stays as it is', () => {
    const { dir, root, open, writer, fileOf, seqs } = journal();
    const backup = path.join(dir, 'backup');
    linkSync(fileOf('.b10'), backup);
    const before = readFileSync(backup);
    const other = open();
    other.append([newEvent({}, 'disk')]);
    writer.append([newEvent()]); // it had the file open all the while
    other.append([newEvent()]);
    expect(readFileSync(backup)).toEqual(before);
    expect(statSync(backup).nlink).toBe(1);
    expect(statSync(fileOf('.b10')).mode & 0o777).toBe(0o600);
    expect(seqs()).toEqual([1, 2, 3, 4, 5]);
    expect(verifyJournal(realPorts, root, decoders)).toMatchObject({ ok: true, events: 5 });
    for (const one of [writer, other]) one.close();
  });

  it('is left to that name by a writer that had it open before it got the name', () => {
    const { dir, writer, fileOf, seqs } = journal();
    const backup = path.join(dir, 'backup');
    // From the second one on it need not look again: nothing came into the folder, or left it.
    for (let count = 0; count < 2; count += 1) writer.append([newEvent()]);
    linkSync(fileOf('.b10'), backup);
    const before = readFileSync(backup);
    writer.append([newEvent()]);
    writer.close();
    expect(readFileSync(backup)).toEqual(before);
    expect(seqs()).toEqual([1, 2, 3, 4, 5]);
  });

  it('is not written into when it is the sync hint', () => {
    const { dir, root, open, writer, fileOf } = journal();
    writer.close();
    const precious = path.join(dir, 'precious');
    writeFileSync(precious, 'precious'.repeat(20));
    const hint = fileOf('synced');
    realPorts.fs.unlink(hint);
    linkSync(precious, hint);
    const next = open();
    next.append([newEvent({}, 'disk')]);
    next.close();
    expect(readFileSync(precious, 'utf8')).toBe('precious'.repeat(20));
    expect(statSync(hint)).toMatchObject({ size: 32, nlink: 1 });
    expect(verifyJournal(realPorts, root, decoders)).toMatchObject({ ok: true, events: 3 });
  });

  it('is not cut when it is no segment at all', () => {
    const { dir, root, open, writer, fileOf } = journal();
    writer.close();
    const precious = path.join(dir, 'precious');
    writeFileSync(precious, 'precious'.repeat(200));
    const segment = fileOf('.b10');
    realPorts.fs.unlink(segment);
    linkSync(precious, segment);
    const next = open();
    next.append([newEvent({}, 'disk')]);
    next.close();
    expect(readFileSync(precious, 'utf8')).toBe('precious'.repeat(200));
    expect(verifyJournal(realPorts, root, decoders).ok).toBe(false);
  });
});
