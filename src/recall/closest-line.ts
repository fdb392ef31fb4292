import { wordsOf } from './missing.ts';

/** What a text and a line need to have in common of all their words, the rare ones counting more. */
const NEAR = 0.3;

/** Finds the line of a summary that has most in common with a text. */
export function closestLine(summary: string): (text: string) => string | undefined {
  const lines = summary
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => ({ line, words: wordsOf(line) }));
  const worth = (word: string): number => {
    const having = lines.filter(({ words }) => words.has(word)).length;
    return Math.log(1 + lines.length / Math.max(1, having));
  };
  const sum = (words: Iterable<string>): number =>
    [...words].reduce((total, word) => total + worth(word), 0);
  const sums = lines.map(({ words }) => sum(words));
  return (text) => {
    const own = [...wordsOf(text)];
    const near = lines.map(({ words }, index) => {
      const shared = sum(own.filter((word) => words.has(word)));
      return (2 * shared) / (sum(own) + sums[index]!);
    });
    const best = Math.max(...near);
    return best >= NEAR ? lines[near.indexOf(best)]!.line : undefined;
  };
}
