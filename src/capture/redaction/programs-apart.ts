import { onDemand } from './rule.ts';

/** The launcher's: it reads the file beside it. */
declare const require: (id: './hook-programs.txt' | './hook-table-programs.txt') => string;

/** What `tools/hook-bundles.mjs` writes behind the programs: one that was cut off finds nothing. */
const END = '\n\n';

const text = (read: () => string) =>
  onDemand((): string => {
    try {
      const all = read();
      return all.endsWith(END) ? all : '';
    } catch {
      return '';
    }
  });

/**
 * Texts of `tools/hook-bundles.mjs`, a line with an expression and one with its program: of what every text may need, and of
 * the table's. Without these files, or with a part of one, V8 runs the expressions.
 */
export const PROGRAMS: readonly (() => string)[] = [
  text(() => require('./hook-programs.txt')),
  text(() => require('./hook-table-programs.txt')),
];
