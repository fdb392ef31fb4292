import { Ben10Error } from '../../platform/errors.ts';

/** `-x`, `--name`, `--name=value`. */
const OPTION = /^(?:-[A-Za-z]|--[A-Za-z][\w-]*(?:=.*)?)$/s;

/**
 * Joins an option with a value that begins with a dash, such as `--todos "- [ ] tests"`, which clipanion would refuse.
 * @param options as clipanion defines them: `-n,--notes #0` takes a value
 * @param takesText of a command whose arguments are a text: `-word` is part of it unless it looks like an option, as `-w` does
 * @throws Ben10Error USAGE if a value is missing, or looks like an option
 */
export function withValues(
  argv: readonly string[],
  options: readonly { definition: string }[],
  takesText = false,
): string[] {
  const all = new Set(options.flatMap(({ definition }) => definition.split(' ')[0]!.split(',')));
  const isText = (word: string) => takesText && !all.has(word) && !OPTION.test(word);
  const takesOne = new Set(
    options.flatMap(({ definition }) => {
      const [names = '', placeholder] = definition.split(' ');
      return placeholder === undefined ? [] : names.split(',');
    }),
  );
  const [command = ''] = argv;
  const words: string[] = [];
  const text: string[] = [];
  const ended = (rest: readonly string[]) =>
    text.length + rest.length === 0 ? words : [...words, '--', ...text, ...rest];
  for (let n = 0; n < argv.length; n += 1) {
    const word = argv[n]!;
    if (word === '--') return ended(argv.slice(n + 1));
    (n > 0 && isText(word) ? text : words).push(word);
    if (!takesOne.has(word)) continue;
    n += 1;
    const value = argv[n];
    if (value === undefined || value === '--' || OPTION.test(value))
      throw withoutValue(command, word, value);
    if (value.startsWith('-')) words[words.length - 1] = `${word}=${value}`;
    else words.push(value);
  }
  return ended([]);
}

/** Does not quote the value, which may be a secret. */
function withoutValue(command: string, option: string, next: string | undefined): Ben10Error {
  const isNone = next === undefined || next === '--';
  const what = isNone ? 'none was given' : 'the next argument looks like an option';
  return new Ben10Error('USAGE', `${option} takes a value, and ${what}`, {
    next: isNone ? `See: ben10 ${command} --help` : `If it is the value, write: ${option}=…`,
  });
}
