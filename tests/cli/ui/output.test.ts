import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { LineLimit } from '../../../src/cli/ui/line-limit.ts';
import { LineWriter } from '../../../src/cli/ui/output.ts';
import { progressBar } from '../../../src/cli/ui/progress.ts';
import { Memory } from '../support.ts';

describe('writing lines', () => {
  it('writes every line in order, in few pieces', async () => {
    const memory = new Memory();
    let pieces = 0;
    const counting = new Writable({
      decodeStrings: false,
      write(chunk, _encoding, done) {
        pieces += 1;
        memory.write(chunk, done);
      },
    });
    const writer = new LineWriter(counting);
    const lines = Array.from({ length: 10_000 }, (_, index) => `line ${index}`);
    for (const line of lines) await writer.line(line);
    await writer.flush();
    expect(memory.text).toBe(`${lines.join('\n')}\n`);
    expect(pieces).toBeLessThan(10);
  });

  it('waits for a reader that is slower', async () => {
    let held = 0;
    let most = 0;
    const slow = new Writable({
      highWaterMark: 1,
      decodeStrings: false,
      write(chunk: string, _encoding, done) {
        held += chunk.length;
        most = Math.max(most, held);
        setImmediate(() => {
          held -= chunk.length;
          done();
        });
      },
    });
    const writer = new LineWriter(slow);
    for (let line = 0; line < 20_000; line += 1) await writer.line('x'.repeat(20));
    await writer.flush();
    expect(most).toBeLessThan(100_000);
    expect(held).toBe(0);
  });
});

describe('a limit of lines', () => {
  const through = (text: string, lines: number, mute = false): string => {
    const memory = new Memory();
    const limit = new LineLimit(memory, { lines, width: 10, mute });
    limit.write(text);
    limit.finish((note) => note);
    return memory.text;
  };

  it('passes the first ones on, folded at the width, and says how many more there were', () => {
    expect(through('a\nb\nc\nd\n', 2)).toBe('a\nb\n… and 2 more lines\n');
    expect(through('a\nb\nc', 2)).toBe('a\nb\n… and 1 more line\n');
    expect(through('a\nb\n', 2)).toBe('a\nb\n');
    expect(through('some words\nand\n', 2)).toBe('some words\nand\n');
    expect(through('some more words\n', 2)).toBe('some more\n  words\n');
    expect(through('0123456789abc\n', 2)).toBe('01234567\n  89abc\n');
  });

  it('says nothing of the rest where one line was wanted, and nothing at all when it is mute', () => {
    expect(through('a\nb\nc\n', 1)).toBe('a\n');
    expect(through('a\nb\nc\n', 2, true)).toBe('');
  });

  it('is a terminal where its target is one', () => {
    const options = { lines: 1, width: 80, mute: false };
    expect(new LineLimit(new Memory(), options).isTTY).toBe(false);
    expect(new LineLimit(new Memory(100), options)).toMatchObject({ isTTY: true, columns: 80 });
  });
});

describe('a progress bar', () => {
  it('is silent where stderr is no terminal', async () => {
    const memory = new Memory();
    const bar = await progressBar('working', memory, () => 0);
    bar.advance(1, 2);
    bar.end();
    expect(memory.text).toBe('');
  });

  it('does not flash for work that is done at once', async () => {
    const terminal = new Memory(80);
    const bar = await progressBar('working', terminal, () => 0);
    bar.advance(1, 2);
    bar.advance(2, 2);
    bar.end();
    expect(terminal.text).toBe('');
  });

  it('shows how far longer work has come, and leaves nothing behind', async () => {
    const terminal = new Memory(80);
    let now = 0;
    const bar = await progressBar('working', terminal, () => now);
    now = 1000;
    bar.advance(1, 4);
    expect(terminal.text).toContain('working');
    expect(terminal.text).toContain('25 %');
    bar.end();
    // The line is cleared and the cursor is back.
    expect(terminal.text.split('working').at(-1)).toMatch(/\x1b\[0K|\x1b\[2K/);
    expect(terminal.text.lastIndexOf('\x1b[?25h')).toBeGreaterThan(
      terminal.text.lastIndexOf('\x1b[?25l'),
    );
  });
});
