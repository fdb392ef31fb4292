import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, test } from 'vitest';
import { JournalWriter } from '../../../src/journal/append/writer.ts';
import type { Frame } from '../../../src/journal/format/frame.ts';
import { journalRange } from '../../../src/journal/read/range.ts';
import { JournalReader } from '../../../src/journal/read/reader.ts';
import { decoders, newEvent, realPorts, scratch } from '../../support.ts';
import { compact } from '../journals.ts';

function journal(events: number, segmentBytes = 1024 * 1024) {
  const root = `${scratch()}/.ben10`;
  const writer = new JournalWriter(realPorts, root, { lockBudgetMs: 5000, segmentBytes });
  for (let n = 0; n < events; n += 1) writer.append([newEvent()]);
  const reader = new JournalReader(realPorts, root, decoders);
  return { root, writer, reader, range: () => journalRange(realPorts, reader) };
}

describe('journalRange', () => {
  test('a journal that is not there has no events', () => {
    expect(journal(0).range()).toEqual({ first: 0, last: 0 });
    const reader = new JournalReader(realPorts, `${scratch()}/.ben10`, decoders);
    expect(journalRange(realPorts, reader)).toEqual({ first: 0, last: 0 });
  });

  test('is the first and the last seq, over all segments', () => {
    const many = journal(40, 2048);
    expect(many.reader.segments().length).toBeGreaterThan(2);
    expect(many.range()).toEqual({ first: 1, last: 40 });
  });

  test('a segment that was just opened does not hide the one before', () => {
    const rotated = journal(5);
    expect(rotated.writer.rotate(0)).toBe(true);
    expect(rotated.reader.segments()).toHaveLength(2);
    expect(rotated.range()).toEqual({ first: 1, last: 5 });
  });

  test('is the same when everything is sealed', () => {
    const sealed = journal(40, 2048);
    sealed.writer.rotate(0);
    compact(sealed.root);
    expect(sealed.reader.segments().filter((one) => one.sealed).length).toBeGreaterThan(2);
    expect(sealed.range()).toEqual({ first: 1, last: 40 });
  });

  test('starts where the oldest segment that is left starts', () => {
    const many = journal(40, 2048);
    const [oldest, next] = many.reader.segments();
    rmSync(oldest!.path);
    expect(many.range()).toEqual({ first: next!.firstSeq, last: 40 });
  });

  test('an append in flight does not count, and takes nothing away', () => {
    const busy = journal(5);
    const { path } = busy.reader.segments()[0]!;
    const whole = readFileSync(path);
    const sixth = () => {
      busy.writer.append([newEvent()]);
      return readFileSync(path).subarray(whole.length);
    };
    const frame = sixth();
    truncateSync(path, whole.length);
    for (const bytes of [1, 8, frame.length - 1]) {
      writeFileSync(path, whole);
      appendFileSync(path, frame.subarray(0, bytes));
      expect(busy.range()).toEqual({ first: 1, last: 5 });
    }
    writeFileSync(path, Buffer.concat([whole, frame]));
    expect(busy.range()).toEqual({ first: 1, last: 6 });
  });

  test.each(['a link', 'a folder'])(
    '%s in the place of the newest segment hides no other',
    (what) => {
      const many = journal(5);
      many.writer.rotate(0);
      many.writer.append([newEvent()]);
      const { path } = many.reader.segments()[1]!;
      renameSync(path, `${path}.elsewhere`);
      if (what === 'a link') symlinkSync(`${path}.elsewhere`, path);
      else mkdirSync(path);
      expect(many.range()).toEqual({ first: 1, last: 5 });
    },
  );

  test('a segment that was sealed between listing and opening still counts, and other errors are passed on', () => {
    const busy = journal(5);
    const failing = (code: string) => ({
      ...realPorts,
      fs: {
        ...realPorts.fs,
        open: () => {
          throw Object.assign(new Error(code), { code });
        },
      },
    });
    expect(journalRange(failing('ENOENT'), busy.reader)).toEqual({ first: 1, last: 5 });
    const closed = new JournalReader(failing('EACCES'), busy.root, decoders);
    expect(() => journalRange(failing('EACCES'), closed)).toThrow('EACCES');
  });

  test('goes as far as events can be read, past damage between them', () => {
    const torn = journal(5);
    const { path } = torn.reader.segments()[0]!;
    const bytes = readFileSync(path);
    const second = [...torn.reader.entries(2, 2)][0]!.entry as Frame;
    bytes.fill(0, second.offset, second.offset + 20);
    writeFileSync(path, Buffer.concat([bytes, bytes.subarray(200, 300)]));
    expect([...torn.reader.entries()].map(({ damage }) => damage?.kind)).toContain('header');
    expect(torn.range()).toEqual({ first: 1, last: 5 });
  });
});
