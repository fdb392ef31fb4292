import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { erase } from '../../src/erasure/erase.ts';
import { findEvent } from '../../src/log/find.ts';
import { queryLog } from '../../src/log/query.ts';
import { codecs } from '../erasure/support.ts';
import { errorOf, openTestProject } from '../support.ts';
import { prompt } from './events.ts';

const idOf = (hex: string): Buffer => Buffer.from(hex.padEnd(32, '0'), 'hex');

function journal() {
  const project = openTestProject();
  project.writer.append([
    prompt('one', { id: idOf('aaaa11') }),
    prompt('two', { id: idOf('aaaa22') }),
    prompt('three', { id: idOf('bbbb') }),
  ]);
  return project;
}

describe('finding one event', () => {
  it('takes its number, with and without @, its id, and the start of its id', () => {
    const project = journal();
    const third = [...queryLog(project)][2]!;
    for (const reference of ['3', '@3', third.id, third.id.toUpperCase(), 'bbbb']) {
      expect(findEvent(project, reference)).toMatchObject({ seq: 3, id: third.id });
    }
  });

  it('says which events there are when there is none of that number', () => {
    const project = journal();
    expect(() => findEvent(project, '4')).toThrow(/no event @4: they go from @1 to @3/);
    expect(() => findEvent(project, '0')).toThrow(/they go from @1 to @3/);
    expect(() => findEvent(openTestProject(), '1')).toThrow(/this journal is empty/);
  });

  it('says so when a number is there but its event repeats another', () => {
    const project = journal();
    project.writer.append(Array.from({ length: 40 }, () => prompt('x'.repeat(4000))));
    const other = openTestProject(project.dir);
    other.writer.append([prompt('one again', { id: idOf('aaaa11') })]);
    expect(() => findEvent(other, '44')).toThrow(/no event @44: it repeats an earlier event$/);
  });

  it('asks for more of an id that several start with, and names them', () => {
    const error = errorOf(() => findEvent(journal(), 'aaaa'));
    expect(error).toMatchObject({ code: 'POINT_NOT_FOUND' });
    expect(error.message).toContain('2 events have an id that starts with "aaaa"');
    expect(error.next).toMatch(/@1 aaaa11.*@2 aaaa22/);
  });

  it('tells an unknown id from what cannot be an id', () => {
    for (const reference of ['cccc', '1'.repeat(16)]) {
      expect(errorOf(() => findEvent(journal(), reference))).toMatchObject({
        code: 'POINT_NOT_FOUND',
      });
    }
    for (const reference of ['abc', 'xyz12', '', '@', '-1', 'a'.repeat(33)]) {
      expect(
        errorOf(() => findEvent(journal(), reference)),
        reference,
      ).toMatchObject({ code: 'USAGE' });
    }
  });

  it('says which it is when the number is of an erased event, or of one that cannot be read', () => {
    const project = journal();
    erase(project, { by: 'event', seqs: [1] }, codecs);
    expect(errorOf(() => findEvent(project, '1'))).toMatchObject({
      message: expect.stringMatching(/no event @1: it was erased$/),
      next: expect.stringContaining('ben10 log --type erasure'),
    });
    const file = project.reader.segments()[0]!.path;
    const bytes = readFileSync(file);
    const at = bytes.indexOf('three');
    writeFileSync(file, bytes.fill(0xff, at, at + 4));
    expect(errorOf(() => findEvent(project, '3'))).toMatchObject({
      code: 'CHECKSUM_MISMATCH',
      message: 'event @3 cannot be read: its bytes are not the ones that were written',
      next: expect.stringContaining('ben10 verify'),
    });
  });
});
