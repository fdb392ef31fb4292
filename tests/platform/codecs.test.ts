import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import lz4 from 'lz4js';
import { describe, expect, it } from 'vitest';
import { lastUnpacked } from '../../src/platform/codecs/last-unpacked.ts';
import { lz4Codec, unlz4 } from '../../src/platform/codecs/lz4.ts';
import { unzstd, unzstdInJs } from '../../src/platform/codecs/zstd-read.ts';
import { loadZstd } from '../../src/platform/codecs/zstd-write.ts';

const zstdCodec = await loadZstd();
const text = Buffer.from('the same words again and again, and 1234567890 '.repeat(400));
const noise = Buffer.from(Array.from({ length: 5000 }, (_, i) => Math.imul(i, 2654435761) >>> 24));

const codecs = [
  { name: 'LZ4', compress: (b: Uint8Array) => lz4Codec.compress(b, 0), decode: unlz4 },
  { name: 'Zstd', compress: (b: Uint8Array) => zstdCodec.compress(b, 3), decode: unzstd },
  {
    name: 'Zstd in JavaScript',
    compress: (b: Uint8Array) => zstdCodec.compress(b, 19),
    decode: unzstdInJs,
  },
];

/** What the system's program makes of it. */
const run = (program: string, args: string[], input: Uint8Array): Buffer =>
  execFileSync(program, args, { input, maxBuffer: 1 << 26 });

describe('Zstd for writing', () => {
  it('may be loaded again while it is at work', async () => {
    const again = loadZstd();
    const packed = [zstdCodec.compress(text, 3)!];
    packed.push((await again).compress(text, 3)!, zstdCodec.compress(text, 3)!);
    for (const one of packed) expect(run('zstd', ['-d', '-c'], one).equals(text)).toBe(true);
  });
});

describe.each(codecs)('$name', ({ compress, decode }) => {
  const packed = compress(text)!;

  it('gives back what it was given', () => {
    expect(packed.length).toBeLessThan(text.length / 10);
    expect(Buffer.from(decode(packed, text.length)).equals(text)).toBe(true);
  });

  it('gives back any bytes that it made smaller', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        fc.integer({ min: 1, max: 60 }),
        (part, times) => {
          const plain = Buffer.concat(Array.from({ length: times }, () => part));
          const small = compress(plain);
          if (small === undefined) return;
          expect(small.length).toBeLessThan(plain.length);
          expect(Buffer.from(decode(small, plain.length)).equals(plain)).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('leaves alone what would not get smaller', () => {
    expect(compress(Buffer.from('abc'))).toBeUndefined();
    expect(compress(Buffer.alloc(0))).toBeUndefined();
  });

  it('refuses to unpack to another size than the one announced', () => {
    for (const size of [0, 1, text.length - 1, text.length + 1, text.length * 2])
      expect(() => decode(packed, size), `${size}`).toThrow();
  });

  it('refuses every truncation, and does not hang on it', () => {
    for (let length = 0; length < packed.length; length += 1)
      expect(() => decode(packed.subarray(0, length), text.length), `${length}`).toThrow();
  });

  it('throws or gives bytes of the right size on every flipped bit, in bounded time', () => {
    const start = Date.now();
    for (let bit = 0; bit < packed.length * 8; bit += 1) {
      const damaged = Buffer.from(packed);
      damaged[bit >> 3] = damaged[bit >> 3]! ^ (1 << (bit & 7));
      try {
        expect(decode(damaged, text.length).length).toBe(text.length);
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
      }
    }
    expect(Date.now() - start).toBeLessThan(20_000);
  });

  it('refuses bytes that are nothing of the kind', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(() => decode(bytes, 1000)).toThrow();
      }),
    );
  });
});

it('makes of bytes the LZ4 frame that lz4js makes, time after time', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 90 }),
      fc.integer({ min: 1, max: 200 }),
      (part, times) => {
        const plain = Buffer.concat(Array.from({ length: times }, () => part));
        const frame = lz4.compress(plain);
        const small = lz4Codec.compress(plain, 0);
        if (frame.length >= plain.length) expect(small).toBeUndefined();
        else expect(Buffer.compare(small!, frame)).toBe(0);
      },
    ),
    { numRuns: 300 },
  );
});

describe('frames for other programs', () => {
  it('writes LZ4 that the lz4 program reads', () => {
    expect(run('lz4', ['-dc'], lz4Codec.compress(text, 0)!).equals(text)).toBe(true);
  });

  it.each([1, 3, 19])('writes Zstd at level %i that the zstd program reads', (level) => {
    expect(run('zstd', ['-dc'], zstdCodec.compress(text, level)!).equals(text)).toBe(true);
  });

  it('reads Zstd with and without the size of the content', () => {
    for (const args of [['-3'], ['--no-content-size'], ['-19']]) {
      const frame = run('zstd', ['-c', '--no-check', ...args], text);
      expect(Buffer.from(unzstd(frame, text.length)).equals(text), args.join(' ')).toBe(true);
    }
  });

  it.each([10, 300, 70_000])('reads Zstd whose head says %i bytes of content', (size) => {
    const plain = Buffer.alloc(size, 'ab');
    const frame = zstdCodec.compress(plain, 3);
    const known = frame ?? run('zstd', ['-c', '--no-check', `--stream-size=${size}`], plain);
    expect(Buffer.from(unzstd(known, size)).equals(plain)).toBe(true);
  });
});

describe('hostile frames', () => {
  const frame = (...head: number[]) => Buffer.from([0x28, 0xb5, 0x2f, 0xfd, ...head]);

  it('refuses a Zstd window larger than 8 MiB before it takes the memory', () => {
    expect(() => unzstd(frame(0, 0x69, 1, 0, 0), 0)).toThrow(/window/);
    expect(() => unzstd(frame(0, 0xf8, 1, 0, 0), 0)).toThrow(/window/);
    expect(Buffer.from(unzstd(frame(0, 0x68, 1, 0, 0), 0))).toHaveLength(0); // 8 MiB
  });

  it('refuses a Zstd frame with a dictionary', () => {
    expect(() => unzstd(frame(1, 0, 7, 1, 0, 0), 0)).toThrow(/dictionary/);
  });

  it('refuses a Zstd frame with a checksum, which not every decoder looks at, and one with the reserved bit', () => {
    const summed = run('zstd', ['-c'], text);
    expect(() => unzstd(summed, text.length)).toThrow(/checksum/);
    expect(() => unzstd(frame(8, 0x38, 1, 0, 0), 0)).toThrow(/reserved/);
    expect(unzstd(frame(0, 0x38, 1, 0, 0), 0)).toHaveLength(0);
  });

  it('refuses a Zstd frame that announces 2^60 bytes', () => {
    expect(() => unzstd(frame(0xe0, 0, 0, 0, 0, 0, 0, 0, 16, 1, 0, 0), 10)).toThrow(/bytes/);
  });

  it('refuses a second Zstd frame behind the first', () => {
    const one = zstdCodec.compress(text, 3)!;
    expect(() => unzstd(Buffer.concat([one, one]), text.length)).toThrow();
  });

  it('refuses an LZ4 block that announces two thousand million bytes, at once', () => {
    const head = Buffer.from('04224d184070df', 'hex');
    const start = Date.now();
    for (const size of ['ffffffff', 'ffffff7f'])
      expect(() => unlz4(Buffer.concat([head, Buffer.from(size, 'hex'), noise]), 10)).toThrow();
    expect(Date.now() - start).toBeLessThan(5000);
  });

  it('refuses LZ4 with bytes behind its end', () => {
    const packed = lz4Codec.compress(text, 0)!;
    expect(() => unlz4(Buffer.concat([packed, Buffer.from([0])]), text.length)).toThrow();
  });
});

describe('the last block that was unpacked', () => {
  const unpacking = () => {
    const asked: string[] = [];
    const unpack = lastUnpacked((bytes, plainBytes) => {
      asked.push(`${Buffer.from(bytes)} ${plainBytes}`);
      if (plainBytes === 0) throw new RangeError('nothing');
      return Buffer.alloc(plainBytes, bytes);
    });
    return { asked, unpack };
  };

  it('is not unpacked again when it is asked for once more', () => {
    const { asked, unpack } = unpacking();
    const bytes = Buffer.from('a');
    expect([unpack(bytes, 3), unpack(Buffer.from('a'), 3)]).toEqual([
      Buffer.from('aaa'),
      Buffer.from('aaa'),
    ]);
    expect(asked).toEqual(['a 3']);
  });

  it('is told apart from others by all of its bytes and by its length, even where it was overwritten since', () => {
    const { asked, unpack } = unpacking();
    const bytes = Buffer.from('a');
    unpack(bytes, 3);
    bytes[0] = 0x62;
    expect(unpack(bytes, 3)).toEqual(Buffer.from('bbb'));
    expect(unpack(bytes, 2)).toEqual(Buffer.from('bb'));
    expect(() => unpack(bytes, 0)).toThrow('nothing');
    expect(unpack(bytes, 2)).toEqual(Buffer.from('bb'));
    expect(asked).toEqual(['a 3', 'b 3', 'b 2', 'b 0']);
  });
});
