import { allRules } from '../table/rules.ts';

/** Shorter runs are no tokens. */
const TOKEN_CHARS_MIN = 14;

/**
 * The keywords of all rules, each once: a line with its kind's first letter, itself, a tab, the run that its secrets have at least, and
 * the places of its rules in the table. The build makes a constant of it, so that a hook need not read the table.
 */
export const KEYWORDS: string = linesOf();

function linesOf(): string {
  const all = new Map<string, { run: number; ranks: number[] }>();
  for (const [
    rank,
    { keywords, kind, run = kind === 'token' ? TOKEN_CHARS_MIN : 0 },
  ] of allRules().entries())
    for (const text of new Set(keywords)) {
      const line = kind[0] + text;
      const known = all.get(line) ?? { run, ranks: [] };
      all.set(line, { run: Math.min(known.run, run), ranks: [...known.ranks, rank] });
    }
  return [...all]
    .map(([line, { run, ranks }]) => `${line}\t${[run, ...ranks].join(' ')}`)
    .join('\n');
}
