import { describe, expect, it } from 'vitest';
import { analyze, wordsOf } from '../../src/search/analyze.ts';

function termsOf(text: string): string[] {
  const terms: string[] = [];
  analyze(text, (term) => terms.push(term));
  return terms;
}
const namesIn = (text: string): string[] => {
  const names: string[] = [];
  analyze(text, (term, isName) => isName && names.push(term));
  return names;
};

describe('a word', () => {
  it('is one term, however it is bent', () => {
    expect(termsOf('connected connecting connections')).toEqual(['connect', 'connect', 'connect']);
  });

  it('is the same in capitals, with accents taken apart, and in wide letters', () => {
    const forms = ['café', 'CAFÉ', 'cafe\u0301', 'cafe', 'ｃａｆé'];
    expect(new Set(forms.flatMap(termsOf))).toEqual(new Set(['cafe']));
  });

  it.each([
    ['Прочитай журнал', ['прочитаи', 'журнал']],
    ['日本語', ['日本', '本語']],
    ['한국어', ['한국', '국어']],
    ['カタカナ', ['カタ', 'タカ', 'カナ']],
    ['字', ['字']],
  ])('of any script gives terms: %s', (text, terms) => {
    expect(termsOf(text)).toEqual(terms.map((term) => term.normalize('NFC')));
  });
});

describe('an identifier', () => {
  it.each([
    ['getHTTPServer', ['gethttpserv', 'get', 'http', 'server']],
    ['max_line_length', ['max_line_length', 'max', 'line', 'length']],
    ['keep-alive', ['keep-alive', 'keep', 'aliv']],
    ['sha256', ['sha256', 'sha', '256']],
    ['src/search/analyze.ts', ['src', 'search', 'analyze.ts', 'analyz', 'ts']],
  ])('is a term as a whole and in its parts: %s', (text, terms) => {
    expect(termsOf(text)).toEqual(terms);
  });

  it('is found by what somebody types of it', () => {
    expect(termsOf('maxLineLength')).toEqual(expect.arrayContaining(termsOf('line')));
    expect(termsOf('gethttpserver')).toEqual(namesIn('getHTTPServer'));
  });

  it('is told from words of prose', () => {
    expect(namesIn('The parser calls readLine of file.ts')).toEqual(['readlin', 'file.ts']);
  });
});

describe('a place in the text', () => {
  it('is that of the word that the terms are of', () => {
    const text = 'Über readLine, 日本語!';
    expect(wordsOf(text).map(({ start, end }) => text.slice(start, end))).toEqual([
      'Über',
      'readLine',
      '日本',
      '本語',
    ]);
  });
});

/** Each would take minutes if anything of it went over the text more than once a character. */
describe('a text that nobody wrote for people', () => {
  const MILLION = 2_000_000;
  it.each([
    ['one letter', 'a'.repeat(MILLION)],
    ['capitals and small letters', 'aB'.repeat(MILLION / 2)],
    ['signs', '-._'.repeat(MILLION / 3)],
    ['a name of many parts', 'a.b-'.repeat(MILLION / 4)],
    ['marks on one letter', `a${'\u0301\u0316'.repeat(MILLION / 2)}`],
    [
      'marks on one character of a script without spaces',
      `字${'\u0301\u0316'.repeat(MILLION / 2)}`,
    ],
    ['halves of pairs', '\ud800'.repeat(MILLION)],
    ['a script without spaces', '字'.repeat(MILLION)],
    ['ligatures', 'ﷺ'.repeat(MILLION)],
  ])('is gone through once: %s', (_, text) => {
    let longest = 0;
    analyze(text, (term) => {
      longest = Math.max(longest, Buffer.byteLength(term));
    });
    expect(longest).toBeLessThanOrEqual(64);
  });
});
