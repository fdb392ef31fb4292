import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unlz4 } from '../../src/platform/codecs/lz4.ts';
import { unzstd, unzstdInJs } from '../../src/platform/codecs/zstd-read.ts';
import { loadZstd } from '../../src/platform/codecs/zstd-write.ts';

const zstd = await loadZstd();
const KIB_64 = 65_536;
/** Only a guard against what would take seconds or never end; `tests/fuzz` holds the limit of 50 ms. */
const GUARD_MS = 1000;

/** Milliseconds of the processor, the best of three: memory may be tidied up meanwhile. */
function costOf(work: () => unknown): number {
  const costs = [1, 2, 3].map(() => {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  });
  return Math.min(...costs);
}

/** Fields of so many bits each, the first one lowest. */
function packed(...fields: readonly [value: number, width: number][]): number[] {
  let all = 0n;
  let at = 0n;
  for (const [value, width] of fields) {
    all |= BigInt(value) << at;
    at += BigInt(width);
  }
  return Array.from({ length: Math.ceil(Number(at) / 8) }, (_, byte) =>
    Number((all >> BigInt(byte * 8)) & 255n),
  );
}

/** A frame of one segment and of blocks whose heads are right. */
function frameOf(content: number, blocks: readonly (readonly number[])[], kind = 2): Buffer {
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0]);
  head.writeUInt32LE(content, 5);
  const parts = blocks.flatMap((block, index) => {
    const about = Buffer.alloc(3);
    about.writeUIntLE(
      (block.length << 3) | (kind << 1) | (index === blocks.length - 1 ? 1 : 0),
      0,
      3,
    );
    return [about, Buffer.from(block)];
  });
  return Buffer.concat([head, ...parts]);
}

const NO_LITERALS = 0x00;
/** A table of 2^`log` states, all of them of the first symbol: no bits lead from one to the next. */
const oneSymbol = (log: number): number[] => {
  const width = 32 - Math.clz32((1 << log) + 1);
  return packed([log - 5, 4], [(1 << width) - 1, width]);
};

describe('a Zstd frame that lies', () => {
  it.each([131_072, 400, 0])(
    'about the lengths of its sequences is refused at once (%i bytes)',
    (content) => {
      // 98,047 sequences of 131,071 literals and 131,074 bytes copied, each told by one byte for all of them.
      const [literals, offset, match] = [35, 0, 52];
      const many = [0xff, 0xff, 0xff];
      const lying = [NO_LITERALS, ...many, 0x54, literals, offset, match, ...Array(300).fill(255)];
      const frame = frameOf(content, [lying]);
      expect(() => unzstdInJs(frame, content)).toThrow(RangeError);
      expect(() => unzstd(frame, content)).toThrow();
      expect(costOf(() => expect(() => unzstdInJs(frame, content)).toThrow())).toBeLessThan(
        GUARD_MS,
      );
    },
  );

  it('with Huffman weights that never end is refused', () => {
    const weights = [...oneSymbol(5), 0xff, 0xff, 1];
    const literals = [weights.length, ...weights, 0xff, 0xff, 1];
    const about = packed([2, 2], [0, 2], [20, 10], [literals.length, 10]);
    const frame = frameOf(20, [[...about, ...literals, 0]]);
    expect(() => unzstdInJs(frame, 20)).toThrow(/weights/);
    expect(() => unzstd(frame, 20)).toThrow();
  });

  it('with as many blocks as it may have, each with tables of its own, takes no longer than it may', () => {
    // One literal, one sequence, three tables, and the bits of their first states.
    const block = [
      0x08,
      0x41,
      1,
      0xa8,
      ...oneSymbol(9),
      ...oneSymbol(8),
      ...oneSymbol(9),
      0,
      0,
      0,
      4,
    ];
    const most = 16 + KIB_64 / 256;
    const content = (blocks: number) => 4 * blocks;
    const frame = (blocks: number) => frameOf(content(blocks), Array(blocks).fill(block));
    expect(unzstdInJs(frame(16), 64)).toHaveLength(64);
    expect(() => unzstdInJs(frame(17), 68)).toThrow(/blocks/);
    const rest = KIB_64 - content(most - 1);
    const full = frameOf(KIB_64, [...Array(most - 1).fill(block), Array(rest).fill(65)]);
    // The last one is stored as it is.
    const last = full.length - rest - 3;
    full[last] = full[last]! & ~(3 << 1);
    expect(unzstdInJs(full, KIB_64)).toHaveLength(KIB_64);
    expect(costOf(() => unzstdInJs(full, KIB_64))).toBeLessThan(GUARD_MS);
  });

  it.each([1, 3, 19])('is told from one that does not, at level %i', (level) => {
    const words = fc.array(fc.constantFrom('all', 'work', 'and', 'no', 'play', '\n'), {
      maxLength: 3000,
    });
    fc.assert(
      fc.property(words, fc.uint8Array({ maxLength: 400 }), fc.nat(3), (text, noise, times) => {
        const part = Buffer.concat([Buffer.from(text.join(' ')), noise]);
        const plain = Buffer.concat(Array.from({ length: times + 1 }, () => part));
        const frame = zstd.compress(plain, level);
        if (frame === undefined) return;
        expect(Buffer.from(unzstdInJs(frame, plain.length)).equals(plain)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('is told from one of several blocks, with and without its size', { tags: 'long' }, () => {
    const plain = Buffer.from(
      Array.from({ length: 60_000 }, (_, n) => `${n} ${Math.imul(n, n)}`).join('\n'),
    );
    expect(plain.length).toBeGreaterThan(4 * 131_072);
    for (const options of [['-3'], ['-3', '--no-content-size'], ['-12']]) {
      const args = ['-c', '--no-check', ...options];
      const frame = execFileSync('zstd', args, { input: plain, maxBuffer: 1 << 26 });
      expect(Buffer.from(unzstdInJs(frame, plain.length)).equals(plain), `${options}`).toBe(true);
    }
  });
});

describe('an LZ4 frame that lies', () => {
  const frameOfBlock = (block: Uint8Array): Buffer => {
    const size = Buffer.alloc(4);
    size.writeUInt32LE(block.length);
    return Buffer.concat([Buffer.from('04224d184070df', 'hex'), size, block, Buffer.alloc(4)]);
  };

  it.each([
    ['literals', Buffer.concat([Buffer.of(0xf0), Buffer.alloc(KIB_64, 255), Buffer.of(0)])],
    [
      'matches',
      Buffer.concat([Buffer.of(0x1f, 65, 1, 0), Buffer.alloc(KIB_64, 255), Buffer.of(0)]),
    ],
  ])('about the length of its %s is refused at once', (_, block) => {
    const frame = frameOfBlock(block);
    expect(() => unlz4(frame, 1000)).toThrow(/runs over/);
    expect(costOf(() => expect(() => unlz4(frame, 1000)).toThrow())).toBeLessThan(GUARD_MS);
  });

  it('is told from one whose lengths go on over several bytes', () => {
    const long = Buffer.concat([Buffer.of(0x1f, 65, 1, 0), Buffer.alloc(3, 255), Buffer.of(7)]);
    const size = 1 + 15 + 3 * 255 + 7 + 4;
    expect(Buffer.from(unlz4(frameOfBlock(long), size)).toString()).toBe('A'.repeat(size));
    expect(() => unlz4(frameOfBlock(long), size - 1)).toThrow(/runs over/);
    expect(() => unlz4(frameOfBlock(long), size + 1)).toThrow(/bytes, not/);
  });
});
