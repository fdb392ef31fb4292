import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Branches } from '../../src/capture/branches.ts';
import { TranscriptFile } from '../../src/capture/transcript-file.ts';
import { realPorts, scratch } from '../support.ts';

type Json = Record<string, unknown>;

const prompt = (uuid: string, fields: Json = {}): Json => ({
  type: 'user',
  uuid,
  message: { role: 'user', content: `prompt ${uuid}` },
  ...fields,
});
const answer = (uuid: string, fields: Json = {}): Json => ({
  type: 'assistant',
  uuid,
  message: { content: [{ type: 'text', text: `answer ${uuid}` }] },
  ...fields,
});
const result = (uuid: string): Json => ({
  type: 'user',
  uuid,
  message: { content: [{ type: 'tool_result', tool_use_id: 't', content: 'x' }] },
});
const note = (uuid: string): Json => ({ type: 'attachment', uuid });

/** Records in a file, of which reading begins at the one with index `from`. */
function branchesOf(records: readonly Json[], from = 0) {
  const file = path.join(scratch(), 't.jsonl');
  const lines = records.map((record) => `${JSON.stringify(record)}\n`);
  writeFileSync(file, lines.join(''));
  const opened = TranscriptFile.open(realPorts.fs, file)!;
  onTestFinished(() => opened.close());
  const start = lines.slice(0, from).join('').length;
  const branches = new Branches(opened, start);
  for (const line of opened.lines(start, false)) branches.add(line);
  /** Of the line with that index, its last byte. */
  const endOf = (index: number) => Buffer.byteLength(lines.slice(0, index + 1).join('')) - 1;
  return { branches, endOf };
}

const TALK = [prompt('u1'), answer('a1'), prompt('u2'), answer('a2')];

describe('a prompt', () => {
  test('that goes on from the end rewinds nothing', () => {
    const { branches } = branchesOf([...TALK, note('n1')]);
    expect(branches.rewoundTo('n1')).toBeUndefined();
    expect(branches.rewoundTo('a2')).toBeUndefined();
  });

  test('that goes on from before an answer leaves a branch behind it', () => {
    const { branches, endOf } = branchesOf(TALK);
    expect(branches.rewoundTo('a1')).toBe(endOf(1));
    expect(branches.rewoundTo('u2')).toBe(endOf(2));
  });

  test('names what it goes on from by its uuid, as clients do', () => {
    const uuid = (n: number) => `6a0c2b1e-5d1b-4c55-9a43-0b1c6f8e${String(n).padStart(4, '0')}`;
    const records = [prompt(uuid(1)), answer(uuid(2)), prompt(uuid(3)), answer(uuid(4))];
    const { branches, endOf } = branchesOf(records);
    expect(branches.rewoundTo(uuid(2))).toBe(endOf(1));
    expect(branches.rewoundTo(uuid(3))).toBe(endOf(2));
    expect(branches.rewoundTo(uuid(4))).toBeUndefined();
    expect(branches.rewoundTo(uuid(5))).toBeUndefined();
  });

  test('leaves one that got no answer yet, too', () => {
    const { branches, endOf } = branchesOf([prompt('u1'), answer('a1'), prompt('u2')]);
    expect(branches.rewoundTo('a1')).toBe(endOf(1));
  });

  test('that starts afresh leaves everything behind it', () => {
    expect(branchesOf(TALK).branches.rewoundTo(null)).toBe(-1);
    expect(branchesOf(TALK, 3).branches.rewoundTo(null)).toBe(-1);
    expect(branchesOf(TALK, 4).branches.rewoundTo(null)).toBe(-1);
  });

  test('that is the first of all leaves nothing behind it', () => {
    expect(branchesOf([note('n1')]).branches.rewoundTo(null)).toBeUndefined();
    expect(branchesOf([note('n1'), note('n2')], 1).branches.rewoundTo(null)).toBeUndefined();
  });

  test.each([
    ['results of parallel calls', [result('r1'), result('r2')], 'r1'],
    ['what the client notes', [note('n1'), { type: 'system', uuid: 'y1' }, note('n2')], 'n1'],
    ['what a sub-agent says', [note('n1'), answer('x', { isSidechain: true })], 'n1'],
    ['a compaction’s summary', [note('n1'), prompt('c1', { isCompactSummary: true })], 'n1'],
    ['what the client says for the user', [note('n1'), prompt('m1', { isMeta: true })], 'n1'],
    ['machine text', [note('n1'), prompt('m1', { message: { content: '<bash-input>ls' } })], 'n1'],
  ])('is not said to leave a branch because of %s', (_, between, parent) => {
    expect(branchesOf([...TALK, ...between]).branches.rewoundTo(parent)).toBeUndefined();
  });

  test('is not said to leave a branch when its parent is nowhere', () => {
    expect(branchesOf(TALK).branches.rewoundTo('unknown')).toBeUndefined();
    expect(branchesOf(TALK, 2).branches.rewoundTo('unknown')).toBeUndefined();
  });
});

describe('a prompt whose parent was read another time', () => {
  test('is found to leave a branch that was read then, now, or in both', () => {
    for (const from of [2, 3, 4]) {
      const { branches, endOf } = branchesOf(TALK, from);
      expect(branches.rewoundTo('a1')).toBe(endOf(1));
    }
  });

  test('is found to leave none', () => {
    expect(branchesOf([...TALK, note('n1')], 4).branches.rewoundTo('a2')).toBeUndefined();
    expect(branchesOf([...TALK, note('n1')], 5).branches.rewoundTo('n1')).toBeUndefined();
  });

  test('is found wherever its name lies across the steps of the search', () => {
    const step = 256 * 1024;
    for (const shift of [-40, -20, -10, -5, 0, 5, 40]) {
      const tail = [answer('late'), note('end')];
      const size = tail.map((one) => `${JSON.stringify(one)}\n`).join('').length;
      const filler = { type: 'system', text: 'x'.repeat(step - size + shift) };
      const { branches, endOf } = branchesOf([prompt('u1'), answer('a1'), filler, ...tail], 5);
      expect(branches.rewoundTo('a1')).toBe(endOf(1));
    }
  });

  test('is not looked for beyond 32 MiB', () => {
    const filler = { type: 'system', text: 'x'.repeat(33 * 1024 * 1024) };
    const { branches } = branchesOf([prompt('u1'), answer('a1'), filler, note('n')], 4);
    expect(branches.rewoundTo('a1')).toBeUndefined();
  });
});
