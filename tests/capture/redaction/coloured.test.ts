import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainText } from '../../../src/capture/redaction/escapes.ts';
import { compileRedaction, redactText, redactValue } from '../../../src/capture/redaction/index.ts';
import { type Places, placesOf, placesOfBoth } from '../../../src/capture/redaction/places.ts';
import { LITERALS } from '../../../src/capture/redaction/table/literals.ts';
import { allSigns } from '../../../src/capture/redaction/table/token-at.ts';
import { allKinds, secretPart } from './corpus/generate.ts';
import { contextsOf } from './corpus/recall.ts';
import { SAMPLES, seeded } from './samples.ts';

const { options } = compileRedaction();

const SEQUENCES = [
  '\x1b[31m',
  '\x1b[1m',
  '\x1b[0m',
  '\x1b[K',
  '\x1b[2J',
  '\x1b(B',
  '\x1b[?25l',
  '\x1b[38;5;196m',
];
const ODD = [
  '\x1b',
  '\x1b[c',
  '\x1b[\n',
  '\x1b[3\n',
  '\x1b[3connect.sid=',
  '\x1b]8;;',
  '\x07',
  '\x1b[s',
  '\x1b\\',
];
/** Enough lines of a test runner to be searched by themselves. */
const LINES = '\x1b[32m\u2713\x1b[39m reads \x1b[2m7\x1b[22m\n'.repeat(40);

const pieces = fc.oneof(
  fc.constantFrom(...SEQUENCES),
  fc.constantFrom(...SEQUENCES, ...ODD),
  fc.constantFrom(...Object.values(LITERALS).flat(), ...allSigns()),
  fc.constantFrom(
    '=',
    ': ',
    ' ',
    '"',
    '\\',
    '\n',
    '\n',
    '\n',
    '%3D',
    '://',
    '.',
    '_',
    '--',
    'a',
    'password',
    'api_key',
  ),
  fc.stringMatching(/^[A-Za-z0-9]{1,50}$/),
  fc
    .tuple(fc.constantFrom(...Object.values(SAMPLES)), fc.nat())
    .map(([make, seed]) => make(seeded(seed)).text),
);
const texts = fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(''));

const all = (places: Places) =>
  [...places.kinds].sort().map((kind) => [kind, places.at(kind)] as const);

describe('a coloured text', () => {
  it('has the places without its colours that the text has from which they were taken', () => {
    let known = 0;
    fc.assert(
      fc.property(texts, fc.nat({ max: 400 }), (text, times) => {
        const repeated = `${text}\n`.repeat(1 + (times % 9));
        const coloured = LINES + repeated + LINES.repeat(times % 30) + repeated + LINES;
        const both = placesOfBoth(coloured);
        if (both === undefined) return;
        known += 1;
        expect(all(both.plain)).toEqual(all(placesOf(plainText(coloured))));
      }),
      { numRuns: 1000 },
    );
    expect(known).toBeGreaterThan(300);
  });

  it('has them wherever it is cut into what is searched at once', () => {
    const head = `\x1b[1mKey\x1b[0m    Value\n---    -----\nabc    d\n`;
    for (let chars = 0; chars < plainText(head).length; chars += 1) {
      const coloured = `${LINES}${'x'.repeat(chars)}\n${head.repeat(600)}`;
      const both = placesOfBoth(coloured);
      if (both === undefined) throw new Error('not all is known');
      expect(all(both.plain)).toEqual(all(placesOf(plainText(coloured))));
    }
  });

  it('has no word that goes on behind the break of a line, where it may be cut', () => {
    for (const word of Object.values(LITERALS).flat())
      expect(word.lastIndexOf('\n'), word).toBeLessThan(1);
  });

  it('loses what it loses when it is searched in both ways', { tags: 'long' }, () => {
    fc.assert(
      fc.property(texts, (text) => {
        const coloured = `${LINES}${text}\n${LINES}`;
        expect(redactValue(coloured, options).value).toBe(redactText(coloured, options).text);
      }),
      { numRuns: 1000 },
    );
  });

  it('keeps no secret, wherever a sequence stands beside it or in it', { tags: 'long' }, () => {
    const random = seeded(11);
    for (const kind of allKinds()) {
      const [context] = [...contextsOf(kind)].slice(random(4));
      for (const before of ['', ' ', 'a', '7', '\n', 'a\x1b[1m', '-']) {
        const token = kind.make(random);
        const own = kind.label === undefined ? token : `${kind.label}_api_key = "${token}"`;
        const wrapped = context!.wrap(own, secretPart(kind, token), random).text;
        const at = random(4) === 0 ? random(wrapped.length) : 0;
        const text = `${wrapped.slice(0, at)}\x1b[31m${wrapped.slice(at)}`;
        const coloured = `${LINES}${before}${text}\x1b[0m${before}\n${LINES}`;
        expect(redactValue(coloured, options).value, kind.id).toBe(
          redactText(coloured, options).text,
        );
      }
    }
  });

  it('is searched in both ways where a link is in it', () => {
    const link = '\x1b]8;;https://a:b1c2d3e4@example.com/\x07here\x1b]8;;\x07\n';
    expect(placesOfBoth(LINES + link)).toBeUndefined();
    expect(redactValue(LINES + link, options).counts).toEqual({ 'URL-PASSWORD': 1 });
  });
});
