import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { isRule } from '../../../src/projections/folds/rules.ts';
import { sentencesOf } from '../../../src/projections/folds/statements.ts';

/** Sentences, one a line; a line that begins with `==` says of what kind those behind it are. */
const sentencesIn = (name: string): string[] =>
  readFileSync(path.join(import.meta.dirname, name), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('== '));

const rulesIn = (text: string): string[] => sentencesOf(text).filter(isRule);

describe('a sentence of the user', () => {
  test.each(sentencesIn('rules.txt'))('is a rule: %s', (sentence) => {
    expect(isRule(sentence)).toBe(true);
  });

  test.each(sentencesIn('no-rules.txt'))('is none: %s', (sentence) => {
    expect(isRule(sentence)).toBe(false);
  });
});

describe('the rules in a prompt', () => {
  test('are its sentences that are, in the user’s words', () => {
    const prompt = [
      'Add a due date. Must be the cache that is slow, but why? Never use globals.',
      '',
      '- Keep dates as ISO strings',
      '- sort by title',
      '1. Don’t touch the migrations folder',
      '> Never quoted.',
      '```',
      'Never in code.',
      '```',
    ].join('\n');
    expect(rulesIn(prompt)).toEqual([
      'Never use globals.',
      'Keep dates as ISO strings',
      'Don’t touch the migrations folder',
    ]);
  });

  test('are found in a time that grows as the text does, whatever it is', () => {
    const hostile = [
      '\n',
      ' ',
      '> ',
      '- ',
      '. ',
      ', ',
      'and ',
      'must ',
      'Never ',
      '"',
      '`',
      '```',
      'a',
    ];
    for (const piece of hostile) {
      const text = piece.repeat(50_000 / piece.length);
      const started = process.cpuUsage();
      rulesIn(text);
      rulesIn(`Use ${text}`);
      const { user } = process.cpuUsage(started);
      // Milliseconds of the processor; going through such a text once more for every character takes seconds.
      expect([piece, user / 1000 < 500]).toEqual([piece, true]);
    }
  });
});

test.each([
  'Nobody is to restart the broker by hand.',
  'No one may push to the release branch.',
  'It is important that you never log the session cookie.',
  'One thing: keep the fixtures in UTC, no exceptions.',
])('%j is one, though its first words are others', (sentence) => {
  expect(isRule(sentence)).toBe(true);
});

test.each([
  'Nobody is at the office today.',
  'No one knows why the broker restarts.',
  'It is important to me.',
  'One thing: the build is red again.',
])('%j is none', (sentence) => {
  expect(isRule(sentence)).toBe(false);
});
