import { RULES } from '../table/rules.ts';

/**
 * The keywords of all rules, each once: a line with its kind's first letter, itself, and the places of its rules in the table. The build
 * makes a constant of it, so that a hook need not read the table.
 */
export const KEYWORDS: string = linesOf();

function linesOf(): string {
  const ranks = new Map<string, number[]>();
  for (const [rank, { keywords, kind }] of RULES.entries())
    for (const text of new Set(keywords)) {
      const line = kind[0] + text;
      ranks.set(line, [...(ranks.get(line) ?? []), rank]);
    }
  return [...ranks].map(([line, own]) => `${line}\t${own.join(' ')}`).join('\n');
}
