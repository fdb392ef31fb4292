import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eachTellingRun } from '../../src/projections/runs.ts';

/** The same as an expression: slow, and plain to see. */
const RUNS = /\d{1,3}(?:,\d{3})+(?![\d.])|[\p{L}\p{N}_$@~./\\:#%+-]+/gu;
const PLAIN = /^(?:[.:#%+]*[A-Z]?[a-z]*[.:#%+\\/-]*|[.:#%+\\/-]+)$/;

const pieces = fc.constantFrom(
  ...['a', 'word', 'Word', 'ABC', 'camelCase', 'snake_case', '7', '42', '1,234', '12,345,678'],
  ...['.', ',', ':', '#', '%', '+', '-', '_', '$', '@', '~', '/', '\\', '(', ' ', '\n', '`'],
  ...['é', 'ß', '中', '٣', '²', '→', '𝐀', '\ud835', '\udc00', 'https://', '.ts', '--flag'],
);
const texts = fc.array(pieces, { maxLength: 20 }).map((all) => all.join(''));

const runsOf = (text: string): string[] => {
  const runs: string[] = [];
  eachTellingRun(text, (run) => void runs.push(run));
  return runs;
};

describe('the runs of a text', () => {
  it('are those of the expression, without words that name nothing by their shape', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const all = [...text.matchAll(RUNS)].map(([run]) => run);
        expect(runsOf(text)).toEqual(all.filter((run) => run.length > 1 && !PLAIN.test(run)));
      }),
      { numRuns: 2000 },
    );
  });

  it('are found in long texts in the time that it takes to read them', () => {
    for (const text of ['1,2', '1,234,', '((a(', '_$1', '.:', '\ud835'].map((one) =>
      one.repeat(200_000),
    ))
      expect(runsOf(text).join('').length).toBeLessThanOrEqual(text.length);
  });
});
