import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENDS_BYTES, LineReader } from '../../src/mcp/lines.ts';

type Seen = { line: string } | { bytes: number; head: string; tail: string };

/** What a reader makes of a stream that comes in these chunks. */
function read(max: number, chunks: Iterable<Buffer>): Seen[] {
  const seen: Seen[] = [];
  const reader = new LineReader(max, {
    line: (line) => seen.push({ line }),
    oversized: (bytes, head, tail) => seen.push({ bytes, head, tail }),
  });
  for (const chunk of chunks) reader.push(chunk);
  return seen;
}

function* cut(bytes: Buffer, sizes: readonly number[]): Generator<Buffer> {
  let at = 0;
  for (const size of sizes) {
    yield bytes.subarray(at, at + size);
    at += size;
  }
  yield bytes.subarray(at);
}

describe('a reader of lines', () => {
  it('gives the same lines however the stream is cut', () => {
    const lines = fc.array(
      fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', ' ')),
    );
    fc.assert(
      fc.property(lines, fc.array(fc.nat(7)), (given, sizes) => {
        const bytes = Buffer.from(given.map((line) => `${line}\n`).join(''));
        expect(read(1000, cut(bytes, sizes))).toEqual(read(1000, [bytes]));
        expect(read(1000, [bytes])).toEqual(given.map((line) => ({ line })));
      }),
    );
  });

  it('takes a line of the largest size, and gives the ends of one that has a byte more', () => {
    const max = 10_000;
    const fits = 'a'.repeat(max);
    const over = `HEAD${'b'.repeat(max - 7)}TAIL`;
    const bytes = Buffer.from(`${fits}\n${over}\nafter\n`);
    for (const sizes of [[], [5000, 5000, 3, 9000, 500], [max + 5, max]]) {
      expect(read(max, cut(bytes, sizes))).toEqual([
        { line: fits },
        {
          bytes: max + 1,
          head: expect.stringMatching(/^HEADb+$/),
          tail: expect.stringMatching(/^b+TAIL$/),
        },
        { line: 'after' },
      ]);
    }
  });

  it('keeps no more than the ends of a line that never stops', () => {
    const chunk = Buffer.alloc(1 << 20, 'x');
    const chunks = Array.from({ length: 40 }, () => chunk);
    const before = process.memoryUsage().arrayBuffers;
    const [seen] = read(1 << 20, [...chunks, Buffer.from('\n')]);
    expect(seen).toMatchObject({ bytes: 40 << 20 });
    expect((seen as { head: string }).head).toHaveLength(ENDS_BYTES);
    expect((seen as { tail: string }).tail).toHaveLength(ENDS_BYTES);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 << 20);
  });

  it('gives nothing for a line that has not ended', () => {
    expect(read(100, [Buffer.from('half')])).toEqual([]);
  });
});
