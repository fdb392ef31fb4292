import { onDemand } from './rule.ts';

/** The launcher's: it reads the file beside it. */
declare const require: (id: './hook-programs.txt' | './hook-context-programs.txt') => string;

/** What `tools/hook-bundles.mjs` writes behind the programs: a text that was cut off has none. */
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

/** A line with an expression, then one with its program: of what every text may need, and of the rules for contexts. */
const TEXTS = [
  text(() => require('./hook-programs.txt')),
  text(() => require('./hook-context-programs.txt')),
];

/** Empty where there is none: without these files, or with a part of one, V8 runs the expressions. */
export function programFor(source: string, flags: string): string {
  const line = `\n${flags}/${source}\n`;
  for (const read of TEXTS) {
    const all = read();
    const at = all.indexOf(line);
    if (at < 0) continue;
    const start = at + line.length;
    return all.slice(start, all.indexOf('\n', start));
  }
  return '';
}
