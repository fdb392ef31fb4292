/** @module-tag long */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { valueAt } from '../../../src/capture/redaction/assigned-value.ts';
import { hasAny, isSpace } from '../../../src/capture/redaction/word-char.ts';
import { isOfWords, isWordy } from '../../../src/capture/redaction/words.ts';

/** What the plain code says, as expressions say it. */
const WORD_PART = /^(?:[A-Za-z]*\d{0,3}|\d{1,4})$/;
/** Of styles, wherever they stand among words. */
const STYLED = /^[1-9]\d?[xX][lsLS]$/;
/** Behind letters alone. */
const SIZE = /^[1-9]\d?[xX][lsLS]?$/;
const CAMEL_CASE = /^[a-z]*\d{0,3}(?:[A-Z][a-z]+\d{0,3})*$/;
const BARE = /^[^\s"'`<>()[\]{},;&|\\\x1b\u2026=]{1,256}={0,2}/;
const BARE_WHOLE = /^[^\s"'`<>()[\]{},;&|\\\x1b]*/;

const areWords = (parts: readonly string[]) =>
  parts.every(
    (part, at) =>
      WORD_PART.test(part) ||
      CAMEL_CASE.test(part) ||
      (parts.length > 1 && STYLED.test(part)) ||
      (at > 0 &&
        at === parts.length - 1 &&
        SIZE.test(part) &&
        !/\d/.test(parts.slice(0, at).join(''))),
  );

const pieces = fc.constantFrom(
  ...[...'abzABZ019-_.:/@+~ ="\'`<([{,;&|\\\x1b\u2026\u00a0\ufeff\u180e\t\n$%\u00e9\u212a'],
  ...[
    'next',
    'Token',
    'URL',
    '12',
    '123',
    '1234',
    'getTree2',
    '4x',
    'xl',
    '2Xs',
    '==',
    '===',
    'a'.repeat(256),
  ],
);
const texts = fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join(''));

it('words and values are seen in plain code as expressions see them', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const what = JSON.stringify(text);
      expect(isWordy(text), what).toBe(areWords(text.split(/[-_.:/@+~]/)));
      expect(isOfWords(text), what).toBe(areWords(text.split(/[^A-Za-z0-9]+/)));
      expect(hasAny(text, isSpace), what).toBe(/\s/.test(text));
      const value = valueAt(`x${text}`, 0, '=');
      if (value === undefined) return;
      expect(value.text, what).toBe(BARE.exec(`x${text}`)?.[0]);
      expect(value.end(), what).toBe(BARE_WHOLE.exec(`x${text}`)?.[0].length);
    }),
    { numRuns: 20_000 },
  );
});
