import { wordsOf } from './missing.ts';

/** Share of a text's words, the rare ones counting more, that a line needs to be about the same. */
const NEAR_SHARE = 0.3;

/** Finds the line of a summary that shares most with a text. */
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
  return (text) => {
    const own = [...wordsOf(text)].map((word) => ({ word, worth: worth(word) }));
    const sum = (of: typeof own) => of.reduce((total, one) => total + one.worth, 0);
    const shared = lines.map(({ line, words }) => ({
      line,
      share: sum(own.filter(({ word }) => words.has(word))) / sum(own),
    }));
    const best = shared.reduce((a, b) => (b.share > a.share ? b : a), { line: '', share: 0 });
    return best.share >= NEAR_SHARE ? best.line : undefined;
  };
}
