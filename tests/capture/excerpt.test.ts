import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { headOf, SEARCHED_CHARS, SECRET_CHARS_MAX, tailOf } from '../../src/capture/excerpt.ts';
import { compileRedaction, privateState } from '../../src/capture/redaction/index.ts';
import { pem, SAMPLES, seeded } from './redaction/samples.ts';

/** So much of a secret in a row is a part of it. */
const PART_CHARS = 12;
const KEPT = 2000;

/** Ordinary text that no rule finds anything in, of exactly so many characters. */
const prose = (chars: number): string =>
  'the quick brown fox; '.repeat(chars / 21 + 1).slice(0, chars);

/** The first part of the secret that is in the text. */
function partOf(secret: string, text: string): string | undefined {
  for (let at = 0; at + PART_CHARS <= secret.length; at += 1) {
    const part = secret.slice(at, at + PART_CHARS);
    if (text.includes(part)) return part;
  }
  return undefined;
}

const KINDS = Object.entries(SAMPLES).map(([id, sample]) => ({ id, sample }));
const SEEDS = [1, 2];

/** One text for each kind and seed, as it stands in a file and as it stands in JSON. */
function* textsOf(sample: (typeof KINDS)[number]['sample']) {
  for (const seed of SEEDS) {
    const { text, secret } = sample(seeded(seed));
    const written = (value: string) => JSON.stringify(value).slice(1, -1);
    yield { text, secret };
    yield { text: written(text), secret: written(secret) };
  }
}

/** Offsets of a sample at which it is cut: every one of a short one. */
const offsetsOf = (text: string): number[] => {
  const step = Math.ceil(text.length / 150);
  return Array.from({ length: Math.ceil(text.length / step) + 1 }, (_, n) =>
    Math.min(n * step, text.length),
  );
};

describe.each(KINDS)(
  'a cut through a secret of the kind $id leaves nothing of it',
  ({ sample }) => {
    test('where the text ends', () => {
      for (const { text, secret } of textsOf(sample)) {
        for (const offset of offsetsOf(text)) {
          const kept = headOf(`${prose(100)} ${text.slice(0, offset)}`, KEPT, false);
          expect(partOf(secret, kept), `${text} cut at ${offset}`).toBeUndefined();
        }
      }
    });

    test('where the beginning that is kept ends', () => {
      for (const { text, secret } of textsOf(sample)) {
        for (const offset of offsetsOf(text)) {
          const whole = `${prose(KEPT - offset - 1)} ${text} ${prose(5000)}`;
          expect(partOf(secret, headOf(whole, KEPT, true)), `cut at ${offset}`).toBeUndefined();
        }
      }
    });

    test('where what is searched ends, though all before is one private passage', {
      tags: 'long',
    }, () => {
      const [before, after] = ['<private>', '</private>'];
      for (const { text, secret } of textsOf(sample)) {
        const inside = SEARCHED_CHARS - 500 - before.length - after.length - text.length;
        const filler = before + prose(inside) + after;
        for (const offset of offsetsOf(text)) {
          const gap = SEARCHED_CHARS - filler.length - offset - 1;
          const whole = `${filler + prose(gap)} ${text} ${prose(5000)}`;
          expect(whole.slice(SEARCHED_CHARS - offset).startsWith(text)).toBe(true);
          expect(partOf(secret, headOf(whole, KEPT, true)), `cut at ${offset}`).toBeUndefined();
        }
      }
    });

    test('where the end that is kept begins', { tags: 'long' }, () => {
      for (const { text, secret } of textsOf(sample)) {
        for (const offset of offsetsOf(text)) {
          const after = prose(KEPT - (text.length - offset));
          const whole = `${prose(SEARCHED_CHARS)} ${text} ${after}`;
          expect(partOf(secret, tailOf(whole, KEPT)), `cut at ${offset}`).toBeUndefined();
        }
      }
    });

    test('where all of which the end is known begins', () => {
      for (const { text, secret } of textsOf(sample)) {
        for (const offset of offsetsOf(text)) {
          // A private passage that nothing closes is told apart by who saw all of it.
          if (
            privateState(text.slice(0, offset)).open > 0 &&
            !/<\/private>/i.test(text.slice(offset))
          )
            continue;
          const known = `${text.slice(offset)} ${prose(700)}`;
          expect(partOf(secret, tailOf(known, KEPT)), `${text} cut at ${offset}`).toBeUndefined();
        }
      }
    });
  },
);

describe('what is kept of a text', () => {
  test('is all of one that is short and whole, without its secrets', () => {
    const text = `a key: ${['gh', 'p_', 'a1'.repeat(18)].join('')}`;
    expect(headOf(text, KEPT, true)).toBe('a key: [REDACTED:GITHUB-TOKEN]');
    expect(headOf(prose(KEPT), KEPT, true)).toBe(prose(KEPT));
    expect(headOf(prose(KEPT + 1), KEPT, true)).toBe(prose(KEPT));
  });

  test('is as long as was asked for, where ordinary text is cut', () => {
    const long = prose(SEARCHED_CHARS * 2);
    expect(headOf(long, KEPT, false)).toBe(long.slice(0, KEPT));
    expect(tailOf(long, KEPT)).toHaveLength(KEPT);
    expect(long.slice(-KEPT - 21)).toContain(tailOf(long, KEPT).slice(0, -21));
  });

  test('ends before the word that the text ends in, and not in half a character', () => {
    expect(headOf('{"command":"curl -H abcd', KEPT, false)).toBe('{"command":"curl -H ');
    expect(headOf(`${'x'.repeat(9)}\u{1f600}`, 10, true)).toBe(`${'x'.repeat(9)}\ufffd`);
  });

  test('may be a stretch that is too long for a secret', () => {
    const data = `${'x'.repeat(SEARCHED_CHARS)}THE-END" `;
    expect(tailOf(data, 20)).toBe(data.slice(-20));
    const word = 'x'.repeat(SECRET_CHARS_MAX);
    expect(headOf(`"a" ${word}`, KEPT, false)).toBe('"a" ');
    expect(headOf(`"a" x${word}`, KEPT, false)).toBe('"a" x');
  });

  test('holds nothing of a key of thousands of characters, closed or not', {
    tags: 'long',
  }, () => {
    const random = seeded(7);
    const dashes = '-'.repeat(5);
    const body = Array.from({ length: 180 }, () => pem(random).body[0]!);
    for (const end of ['', `\n${dashes}END PRIVATE KEY${dashes}\n`]) {
      const text = `${body.join('\n')}${end}\n; ${prose(3000)}`;
      for (let from = 0; from < 200; from += 7) {
        expect(body.find((line) => partOf(line, tailOf(text.slice(from), KEPT)))).toBeUndefined();
      }
    }
  });

  test('holds nothing of a key in pieces too short to be told from words, of which the end is not there', () => {
    const pieces = Array.from({ length: 9 }, (_, n) => `AbCdEfGhIjKl0${n}`).join(' ');
    const open = `so: ${'-'.repeat(5)}BEGIN PRIVATE KEY${'-'.repeat(5)}\n${pieces}`;
    expect(headOf(open, KEPT, false)).toBe('so: ');
    expect(tailOf(prose(KEPT) + open, KEPT)).toMatch(/so: $/);
  });

  test('holds nothing of a private passage that began before what is known', () => {
    const passage = 'my diary; '.repeat(5000);
    for (const after of ['', '<private>more of my diary</private>', 'nested </private>']) {
      const kept = tailOf(`${passage}</private>${after} and ${prose(1500)}`, KEPT);
      expect(kept).toContain('quick brown');
      expect(kept).not.toContain('diary');
      expect(kept).not.toContain('nested');
    }
  });

  test('knows the rules of a configuration', () => {
    const { options } = compileRedaction({ patterns: [{ id: 'OWN', pattern: 'own-[a-z ]{40}' }] });
    const secret = `own-${'abc d'.repeat(8)}`;
    for (let offset = 0; offset <= secret.length; offset += 1) {
      const head = `${prose(KEPT - offset)}${secret}${prose(3000)}`;
      expect(partOf(secret.slice(4), headOf(head, KEPT, true, options))).toBeUndefined();
      const tail = `${prose(SEARCHED_CHARS)}${secret}${prose(KEPT - offset)}`;
      expect(partOf(secret.slice(4), tailOf(tail, KEPT, options))).toBeUndefined();
    }
  });

  test('is never longer than asked for, and well-formed, of any text', { tags: 'long' }, () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.nat(100), (text, chars) => {
        for (const kept of [
          headOf(text, chars, true),
          headOf(text, chars, false),
          tailOf(text, chars),
        ]) {
          expect(kept.length).toBeLessThanOrEqual(chars);
          expect(kept.isWellFormed()).toBe(true);
        }
      }),
    );
  });
});
