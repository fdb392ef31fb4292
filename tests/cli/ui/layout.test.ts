import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnsOf, cutTo, pad, padLeft } from '../../../src/cli/ui/columns.ts';
import { facts } from '../../../src/cli/ui/facts.ts';
import { table } from '../../../src/cli/ui/table.ts';
import { wrap } from '../../../src/cli/ui/wrap.ts';

describe('columns of a terminal', () => {
  it('are two for a wide character and none for a combining one or a colour', () => {
    expect(['a', '古', '👍', 'e\u0301', '\x1b[31ma\x1b[0m', ''].map(columnsOf)).toEqual([
      1, 2, 2, 1, 1, 0,
    ]);
  });

  it('are never more than a text was cut to, and a text that fits is not cut', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 60 });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 80 }), (given, width) => {
        const cut = cutTo(given, width);
        expect(columnsOf(cut)).toBeLessThanOrEqual(Math.max(width, 1));
        if (columnsOf(given) <= width) expect(cut).toBe(given);
        else expect(cut.endsWith('…')).toBe(true);
      }),
    );
  });

  it('are cut between characters, not inside of one', () => {
    expect(cutTo('ab古古', 4)).toBe('ab…');
    expect(cutTo('ab古古', 5)).toBe('ab古…');
    expect(cutTo('👨‍👩‍👧 family', 4)).toBe('👨‍👩‍👧…');
    expect(cutTo('anything', Number.POSITIVE_INFINITY)).toBe('anything');
  });

  it('are filled up at the right or at the left', () => {
    expect(pad('古', 4)).toBe('古  ');
    expect(padLeft('12', 4)).toBe('  12');
    expect(pad('longer', 4)).toBe('longer');
  });
});

describe('a table', () => {
  it('aligns words at the left and numbers at the right, without lines around them', () => {
    expect(
      table(
        ['file', '>size', 'why'],
        [
          ['a.b10', '9', 'x'],
          ['古.b10', '1,000', ''],
        ],
      ),
    ).toEqual(['  file     size  why', '  a.b10       9  x', '  古.b10  1,000']);
  });

  it('has names and values for facts', () => {
    expect(
      facts([
        ['a', '1'],
        ['longer', '2'],
        ['none', ''],
      ]),
    ).toEqual(['  a       1', '  longer  2', '  none']);
  });
});

describe('wrapping', () => {
  it('keeps lines within the width and loses no word', () => {
    const word = fc.stringMatching(/^[a-z]{1,12}$/);
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1 }),
        fc.integer({ min: 16, max: 60 }),
        (words, width) => {
          const wrapped = wrap(words.join(' '), width, '  ');
          expect(wrapped.split('\n').every((line) => line.length <= width)).toBe(true);
          expect(wrapped.split(/\s+/).filter(Boolean)).toEqual(words);
        },
      ),
    );
  });

  it('keeps paragraphs apart and items on lines of their own', () => {
    const text = `
      One two
      three.

      - first item
      - second item that is longer
    `;
    expect(wrap(text, 18)).toBe('One two three.\n\n- first item\n- second item that\n  is longer');
  });

  it('leaves a word that is longer than a line whole', () => {
    expect(wrap('a https://example.org/long b', 10)).toBe('a\nhttps://example.org/long\nb');
  });
});
