import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import path from 'node:path';
import { build } from 'esbuild';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WasmHashes } from '../../src/platform/hashes/wasm.ts';
import {
  isSha256,
  sha256,
  sha256Hex,
  sha256Text,
  WASM_BYTES_MAX,
} from '../../src/platform/sha256.ts';
import { scratch } from '../support.ts';

const openssl = (...parts: Uint8Array[]) =>
  createHash('sha256').update(Buffer.concat(parts)).digest();

describe('SHA-256 in WebAssembly', () => {
  const wasm = new WasmHashes();
  const of = (...parts: Uint8Array[]) =>
    wasm.sha256(
      parts,
      parts.reduce((sum, part) => sum + part.length, 0),
    );

  // FIPS 180-4, the examples of NIST's cryptographic standards and guidelines.
  it.each([
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [
      'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    ],
    ['a'.repeat(1_000_000), 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0'],
  ])('gives the published value', (text, expected) => {
    expect(of(Buffer.from(text)).toString('hex')).toBe(expected);
  });

  it('agrees with OpenSSL at every length up to 300, whatever was there before', () => {
    const bytes = randomBytes(300);
    of(randomBytes(1000));
    for (let length = 300; length >= 0; length -= 1) {
      const part = bytes.subarray(0, length);
      expect(of(part).equals(openssl(part)), `${length} bytes`).toBe(true);
    }
  });

  it('grows with what it is given', () => {
    const large = randomBytes(3 * 1024 * 1024 + 5);
    expect(of(large).equals(openssl(large))).toBe(true);
    expect(of(large, large).equals(openssl(large, large))).toBe(true);
  });
});

describe('SHA-256', () => {
  it('is the same before and after OpenSSL takes over', () => {
    const piece = randomBytes(WASM_BYTES_MAX / 4);
    for (let i = 0; i < 10; i += 1) {
      expect(sha256(piece, Buffer.from([i])).equals(openssl(piece, Buffer.from([i])))).toBe(true);
    }
    expect(sha256Hex('abc')).toMatch(/^ba7816bf8f01cfea/);
  });

  it('is that of the parts one behind the other, also where OpenSSL does it, and stays what it was', () => {
    sha256(Buffer.alloc(WASM_BYTES_MAX));
    const bytes = randomBytes(40_000);
    const first = sha256(bytes.subarray(0, 100));
    for (const length of [0, 1, 400, 16 * 1024 - 1, 16 * 1024, 16 * 1024 + 1, 40_000]) {
      const parts = [bytes.subarray(0, length >> 2), bytes.subarray(length >> 2, length)];
      const expected = openssl(...parts);
      expect(sha256(...parts).equals(expected), `${length} bytes`).toBe(true);
      expect(sha256(bytes.subarray(0, length)).equals(expected), `${length} at once`).toBe(true);
    }
    expect(first.equals(openssl(bytes.subarray(0, 100)))).toBe(true);
    expect(sha256Text('Übergröße ☃').equals(openssl(Buffer.from('Übergröße ☃')))).toBe(true);
  });

  it('agrees with OpenSSL on any parts, keeps what it gave, and tells a digest from every other', () => {
    sha256(Buffer.alloc(WASM_BYTES_MAX + 1));
    const parts = fc.array(fc.uint8Array({ maxLength: 9000 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(parts, fc.nat(255), (given, bit) => {
        const digest = sha256(...given);
        sha256(Buffer.from('something else'));
        expect(digest.equals(openssl(...given))).toBe(true);
        const input = Buffer.concat(given);
        expect(isSha256(Buffer.concat([Buffer.alloc(3), digest]), 3, input)).toBe(true);
        expect(isSha256(digest.subarray(1), 0, input)).toBe(false);
        digest[bit >> 3]! ^= 1 << (bit & 7);
        expect(isSha256(digest, 0, input)).toBe(false);
      }),
    );
  });

  it('loads node:crypto neither before the limit nor for chance, and beyond the limit', async () => {
    const file = path.join(scratch(), 'program.cjs');
    await build({
      stdin: {
        contents: `
          import { sha256, WASM_BYTES_MAX } from './src/platform/sha256.ts';
          import { randomHex, systemRandom } from './src/platform/random.ts';
          const loaded = () => process.moduleLoadList.includes('NativeModule crypto');
          const said = [];
          randomHex(systemRandom, 100);
          sha256(Buffer.alloc(WASM_BYTES_MAX));
          said.push(loaded());
          sha256(Buffer.alloc(1));
          said.push(loaded());
          console.log(said.join(' '));
        `,
        resolveDir: process.cwd(),
      },
      bundle: true,
      outfile: file,
      platform: 'node',
      format: 'cjs',
    });
    const said = execFileSync(process.execPath, [file], { encoding: 'utf8' });
    expect(said.trim()).toBe(process.platform === 'win32' ? 'true true' : 'false true');
  });
});
