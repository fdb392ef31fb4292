import { Ben10Error } from '../../platform/errors.ts';

/** An option of a command as clipanion defines it: `-n,--notes #0` takes a value. */
interface Option {
  definition: string;
}

/** `-x`, `--name`, `--name=value`: what could be meant as an option. */
const OPTION = /^(?:-[A-Za-z]|--[A-Za-z][\w-]*(?:=.*)?)$/s;

/**
 * An option with the text behind it in one word, where that begins with a dash as no option does: `--todos "- [ ] tests"`, which
 * clipanion would not take for its value.
 * @throws Ben10Error USAGE, with what to type, where an option that takes a value is followed by none, or by what may be an option
 */
export function withValues(argv: readonly string[], options: readonly Option[]): string[] {
  const takesOne = new Set(
    options.flatMap(({ definition }) => {
      const [names = '', placeholder] = definition.split(' ');
      return placeholder === undefined ? [] : names.split(',');
    }),
  );
  const [command = ''] = argv;
  const words: string[] = [];
  for (let n = 0; n < argv.length; n += 1) {
    const word = argv[n]!;
    if (word === '--') return [...words, ...argv.slice(n)];
    words.push(word);
    if (!takesOne.has(word)) continue;
    n += 1;
    const value = argv[n];
    if (value === undefined || value === '--' || OPTION.test(value))
      throw withoutValue(command, word, value);
    if (value.startsWith('-')) words[words.length - 1] = `${word}=${value}`;
    else words.push(value);
  }
  return words;
}

/** What follows it is not said again: it may be a secret. */
function withoutValue(command: string, option: string, next: string | undefined): Ben10Error {
  const isNone = next === undefined || next === '--';
  const what = isNone ? 'nothing follows it' : 'what follows it begins as an option does';
  return new Ben10Error('USAGE', `${option} takes a value, and ${what}`, {
    next: isNone
      ? `How it is used: ben10 ${command} --help`
      : `If it is meant so, in one word with it: ${option}=…`,
  });
}
