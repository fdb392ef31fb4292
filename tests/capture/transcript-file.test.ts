import {
  appendFileSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import {
  LINE_BYTES_MAX,
  TranscriptFile,
  type TranscriptLine,
} from '../../src/capture/transcript-file.ts';
import { realPorts, scratch } from '../support.ts';

const { fs, xxh64 } = realPorts;

function transcript(content: string | Buffer): { file: string; opened: TranscriptFile } {
  const file = path.join(scratch(), 't.jsonl');
  writeFileSync(file, content);
  const opened = TranscriptFile.open(fs, file)!;
  onTestFinished(() => opened.close());
  return { file, opened };
}

const lines = (content: string | Buffer, from = 0, whole = false): TranscriptLine[] => [
  ...transcript(content).opened.lines(from, whole),
];

test('gives whole lines with where they stand', () => {
  expect(lines('{"a":1}\n{"b":2}\n')).toEqual([
    { pos: 0, end: 8, record: { a: 1 } },
    { pos: 8, end: 16, record: { b: 2 } },
  ]);
});

test('leaves a last line that is still being written for the next time', () => {
  expect(lines('{"a":1}\n{"b":')).toHaveLength(1);
  expect(lines('{"a":1}\n{"b":2}')).toHaveLength(1);
});

test('takes a last line without its newline from a finished file, if it is whole', () => {
  expect(lines('{"a":1}\n{"b":2}', 0, true).at(-1)).toEqual({ pos: 8, end: 15, record: { b: 2 } });
  expect(lines('{"a":1}\n{"b":', 0, true)).toHaveLength(1);
});

test('goes on in the middle of a file', () => {
  expect(lines('{"a":1}\n{"b":2}\n', 8)).toEqual([{ pos: 8, end: 16, record: { b: 2 } }]);
});

test('passes over empty lines and counts those that are no objects', () => {
  const found = lines('\n\n{"a":1}\nnonsense\n[1]\n"a"\nnull\n{"b":2}\n');
  expect(found.map(({ record }) => record)).toEqual([
    { a: 1 },
    undefined,
    undefined,
    undefined,
    undefined,
    { b: 2 },
  ]);
});

test('survives NUL bytes, bytes that are no UTF-8, and halves of surrogate pairs', () => {
  const odd = Buffer.concat([
    Buffer.from('{"a":"\\u0000"}\n{"b":"\x00"}\n{"c":"'),
    Buffer.from([0xff, 0xfe, 0xc3]),
    Buffer.from('"}\n{"d":"\\ud83d"}\n'),
  ]);
  expect(lines(odd).map(({ record }) => record)).toEqual([
    { a: '\0' },
    undefined, // JSON has no bare NUL
    { c: '\ufffd\ufffd\ufffd' },
    { d: '\ud83d' },
  ]);
});

test('reads what is appended while it is read', () => {
  const { file, opened } = transcript('{"n":0}\n');
  const found: unknown[] = [];
  for (const { record } of opened.lines(0, false)) {
    found.push(record?.n);
    if (found.length < 5) appendFileSync(file, `{"n":${found.length}}\n`);
  }
  expect(found).toEqual([0, 1, 2, 3, 4]);
});

test('ends where a file is cut short while it is read', () => {
  const { file, opened } = transcript(`{"a":1}\n${'{"b":2}\n'.repeat(400_000)}`);
  const all = opened.lines(0, false);
  expect(all.next().value?.record).toEqual({ a: 1 });
  truncateSync(file, 8);
  expect([...all].length).toBeLessThan(400_000);
});

test('gives the same lines however they lie across the pieces that are read', () => {
  const record = fc.record({ a: fc.string({ maxLength: 2000 }), n: fc.nat() });
  fc.assert(
    fc.property(fc.array(record, { maxLength: 2000, minLength: 900 }), (records) => {
      const content = records.map((one) => `${JSON.stringify(one)}\n`).join('');
      const found = lines(content);
      expect(found.map((one) => one.record)).toEqual(records);
      expect(found.at(-1)?.end).toBe(Buffer.byteLength(content));
    }),
    { numRuns: 5 },
  );
});

test('takes a line at the limit, and passes over a longer one as one', { tags: 'long' }, () => {
  const filler = 'x'.repeat(LINE_BYTES_MAX - '{"a":""}'.length);
  const found = lines(`{"a":"${filler}"}\n{"a":"${filler}y"}\n{"b":2}\n`);
  expect(found.map(({ record }) => record && Object.keys(record))).toEqual([
    ['a'],
    undefined,
    ['b'],
  ]);
  expect(found.map(({ pos }) => pos)).toEqual([0, LINE_BYTES_MAX + 1, 2 * LINE_BYTES_MAX + 3]);
});

test('of a megabyte without any line, something comes as well', () => {
  const found = lines(
    Buffer.concat([Buffer.alloc(3 * 1024 * 1024, '\n'), Buffer.from('{"a":1}\n')]),
  );
  expect(found.filter(({ isNone }) => isNone === true)).toHaveLength(3);
  expect(found.at(-1)).toEqual({
    pos: 3 * 1024 * 1024,
    end: 3 * 1024 * 1024 + 8,
    record: { a: 1 },
  });
});

test('a line that is far too long is one, and can be left in its middle', {
  tags: 'long',
}, () => {
  const long = LINE_BYTES_MAX + 3 * 1024 * 1024 + 17;
  const found = lines(Buffer.concat([Buffer.alloc(long), Buffer.from('\n{"a":1}\n')]));
  expect(found.filter(({ isNone }) => isNone !== true).map(({ record }) => record)).toEqual([
    undefined,
    { a: 1 },
  ]);
  expect(found.length).toBeGreaterThan(3);
  for (const [i, { pos }] of found.entries()) expect(pos).toBe(i === 0 ? 0 : found[i - 1]!.end);
  // It is still being written: what of it is too long already need not be waited for.
  expect(lines(Buffer.alloc(long)).at(-1)).toMatchObject({ end: long, isNone: true });
});

test('does not open what is no plain file', () => {
  const dir = scratch();
  mkdirSync(path.join(dir, 'folder.jsonl'));
  writeFileSync(path.join(dir, 'real.jsonl'), '');
  symlinkSync(path.join(dir, 'real.jsonl'), path.join(dir, 'link.jsonl'));
  expect(TranscriptFile.open(fs, path.join(dir, 'none.jsonl'))).toBeUndefined();
  expect(TranscriptFile.open(fs, path.join(dir, 'folder.jsonl'))).toBeUndefined();
  expect(TranscriptFile.open(fs, path.join(dir, 'link.jsonl'))).toBeUndefined();
  expect(TranscriptFile.open(fs, path.join(dir, 'a\0b.jsonl'))).toBeUndefined();
});

test('stays readable when it was deleted, and tells its size', () => {
  const { file, opened } = transcript('{"a":1}\n');
  rmSync(file);
  expect(opened.size).toBe(8);
  expect([...opened.lines(0, false)]).toHaveLength(1);
});

test('its tail tells a file that grew from one that was replaced', () => {
  const { opened } = transcript(`${'{"a":1}\n'.repeat(100)}`);
  const { opened: grown } = transcript(`${'{"a":1}\n'.repeat(150)}`);
  const { opened: other } = transcript(`${'{"a":1}\n'.repeat(90)}${'{"b":1}\n'.repeat(60)}`);
  const tail = opened.tailBefore(800, xxh64);
  expect(tail).toMatch(/^[0-9a-f]{16}$/);
  expect(grown.tailBefore(800, xxh64)).toBe(tail);
  expect(other.tailBefore(800, xxh64)).not.toBe(tail);
  // The same bytes at another place are another tail.
  expect(grown.tailBefore(808, xxh64)).not.toBe(tail);
  expect(opened.tailBefore(0, xxh64)).toMatch(/^[0-9a-f]{16}$/);
});
