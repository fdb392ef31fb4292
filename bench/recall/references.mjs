// The references in a text: paths, commands, identifiers and numbers, by rules simple enough to publish (README.md).

/** A name without a folder is a path only with one of these endings. */
const ENDINGS =
  'c|cc|cfg|conf|cpp|cs|css|csv|db|env|go|gradle|h|hpp|html|ini|ipynb|java|js|json|jsonl|jsx|kt|lock|log|lua|md|mjs|php|proto|py|rb|rs|scss|sh|sql|svg|swift|toml|ts|tsx|txt|vue|wav|xml|yaml|yml|zsh';
const PATH = new RegExp(
  `(?<![\\w/.:@-])(?:(?:~|\\.{1,2})?/)?(?:[\\w@.+-]+/)+[\\w@.+-]*\\w|(?<![\\w/.-])[\\w@+-][\\w@.+-]*\\.(?:${ENDINGS})(?![\\w/-])`,
  'g',
);
/** Not references: addresses, and the interpreter that a script names in its first line. */
const URL = /^#!.*|\bhttps?:\/\/[^\s)"'>]+/gm;
const IDENTIFIER = /(?<![\w$])[A-Za-z_$][\w$]{5,}(?![\w$])/g;
const NUMBER = /(?<![\w.,])\d[\d,]*(?:\.\d+)?(?![\w,]*\w)(?!\.\d)/g;
const IDENTIFIER_SHAPE = /[A-Za-z0-9]_+[A-Za-z0-9]|[a-z0-9][A-Z]/;
const DIGITS_MIN = 3;
const COMMAND_CHARS_MAX = 200;
/** Commands that any session has and that recall nothing. */
const TRIVIAL = /^(?:cd|echo|sleep|export|set|pwd|ls|cat)\b/;

const isPath = (token) =>
  /[A-Za-z]/.test(token) &&
  (!token.includes('/') ||
    /^(?:~|\.{0,2}\/)|\.\w{1,6}$/.test(token) ||
    token.split('/').length > 2);

/** A path below the session's folder is the same one, written absolutely or relatively. */
export function relative(token, cwd) {
  const plain = token.replace(/^\.\//, '');
  return plain.startsWith(`${cwd}/`) ? plain.slice(cwd.length + 1) : plain;
}

const oneSpace = (text) => text.replace(/\s+/g, ' ').trim();

/** The simple commands of a shell line: split at `&&`, `||`, `;`, `|` and line ends outside of quotes. */
export function commandsOf(line) {
  const bare = [];
  let quote = null;
  let one = '';
  for (const char of line) {
    if (quote === null && /[;&|\n]/.test(char)) {
      bare.push(one);
      one = '';
      continue;
    }
    if (quote === null && /["']/.test(char)) quote = char;
    else if (char === quote) quote = null;
    one += char;
  }
  return [...bare, one]
    .map((command) => oneSpace(command))
    .filter((c) => c.includes(' ') && c.length <= COMMAND_CHARS_MAX && !TRIVIAL.test(c));
}

/** @returns references as `kind value`, each once; commands come from {@link commandsOf}, not from texts */
export function referencesIn(text, cwd) {
  const found = new Set();
  const rest = text.replace(URL, ' ').replace(PATH, (token) => {
    if (!isPath(token)) return token;
    const path = relative(token, cwd);
    if (path !== cwd) found.add(`path ${path}`);
    return ' ';
  });
  for (const [name] of rest.matchAll(IDENTIFIER)) {
    if (IDENTIFIER_SHAPE.test(name)) found.add(`identifier ${name}`);
  }
  for (const [number] of rest.matchAll(NUMBER)) {
    if (number.replace(/\D/g, '').length >= DIGITS_MIN) found.add(`number ${number}`);
  }
  return found;
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** What may stand at the sides of a value so that it is that value and not a part of another. */
const EDGES = {
  path: ['(?<![\\w@+-]|[\\w@.+-]/|[\\w]\\.)', '(?![\\w@+/-]|\\.\\w)'],
  identifier: ['(?<![\\w$])', '(?![\\w$])'],
  number: ['(?<![\\w.,])', '(?![\\w]|[.,]\\d)'],
  command: ['(?<![\\w/.-])', '(?![\\w/-]|\\.\\w)'],
};

/** Whether a text holds a reference, written out. A path counts also with the session's folder before it. */
export function holds(text, reference, cwd) {
  const space = reference.indexOf(' ');
  const kind = reference.slice(0, space);
  const value = reference.slice(space + 1);
  const plain = kind === 'command' ? oneSpace(text) : text;
  if (!plain.includes(value)) return false;
  const [before, after] = EDGES[kind];
  const bare = kind === 'path' ? plain.replaceAll(`${cwd}/`, '') : plain;
  return new RegExp(before + escaped(value) + after).test(bare);
}

export const kindOf = (reference) => reference.slice(0, reference.indexOf(' '));
