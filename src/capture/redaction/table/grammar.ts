/**
 * How a token's grammar is written: literal text, and in braces what varies.
 *
 *   {n36}      36 characters of an alphabet, named by one letter
 *   {n20,40}   20 to 40 of them
 *   {n20,}     20 or more, only at the end
 *   {live|test}  one of these
 *   {u}        a UUID
 */
const ALPHABETS: Readonly<Record<string, string>> = {
  d: '0-9',
  h: '0-9a-f',
  x: '0-9a-fA-F',
  a: 'a-z',
  l: 'A-Za-z',
  k: '0-9a-z',
  K: '0-9A-Z',
  n: 'A-Za-z0-9',
  w: '\\w-',
  b: 'A-Za-z0-9+/',
  e: 'A-Za-z0-9+/=',
  c: '\\w.=-',
  s: '\\w.=+/~-',
};

export type Piece =
  | { kind: 'literal'; choices: readonly string[] }
  | { kind: 'run'; alphabet: string; min: number; max: number };

const UUID = '{x8}-{x4}-{x4}-{x4}-{x12}';

function pieceOf(inside: string): Piece | undefined {
  if (inside.includes('|')) return { kind: 'literal', choices: inside.split('|') };
  const alphabet = inside[0] ?? '';
  const [least = '', most = least] = inside.slice(1).split(',');
  const min = Number(least);
  const max = most === '' ? Infinity : Number(most);
  const isOne = ALPHABETS[alphabet] !== undefined && min > 0 && max >= min;
  return isOne ? { kind: 'run', alphabet, min, max } : undefined;
}

/** @throws Error when the grammar is not one: the table is ours */
export const parseGrammar = (grammar: string): Piece[] =>
  grammar
    .replaceAll('{u}', UUID)
    .split(/(\{[^}]*\})/)
    .filter((part) => part !== '')
    .map((part) => {
      const piece: Piece | undefined =
        part[0] === '{' ? pieceOf(part.slice(1, -1)) : { kind: 'literal', choices: [part] };
      if (piece === undefined) throw new Error(`not a grammar: ${grammar}`);
      return piece;
    });

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** The source of the expression that matches the grammar, up to where its last run ends for good. */
export function grammarSource(grammar: string): string {
  const pieces = parseGrammar(grammar);
  const source = pieces.map((piece) => {
    if (piece.kind === 'literal') {
      const choices = piece.choices.map(escaped);
      return choices.length === 1 ? choices[0] : `(?:${choices.join('|')})`;
    }
    const one = `[${ALPHABETS[piece.alphabet]}]`;
    if (piece.max === Infinity) return `${one}{${piece.min}}${one}*`;
    return `${one}{${piece.min}${piece.max === piece.min ? '' : `,${piece.max}`}}`;
  });
  const last = pieces.at(-1);
  const isOpen = last?.kind === 'run' && last.max === Infinity;
  const goesOn = `A-Za-z0-9${last?.kind === 'run' ? ALPHABETS[last.alphabet]?.replace('=', '') : ''}`;
  return source.join('') + (isOpen ? '' : `(?![${goesOn}])`);
}

/** How tokens of the grammar begin: all literal beginnings of up to `chars` characters. */
export function beginningsOf(grammar: string, chars = 8): string[] {
  let signs = [''];
  for (const piece of parseGrammar(grammar)) {
    if (piece.kind === 'run') break;
    signs = signs.flatMap((sign) => piece.choices.map((choice) => sign + choice));
  }
  return [...new Set(signs.map((sign) => sign.slice(0, chars)))];
}

/** The fewest characters that the grammar has. */
export const leastChars = (grammar: string): number =>
  parseGrammar(grammar).reduce((sum, piece) => sum + leastOf(piece), 0);

const leastOf = (piece: Piece): number =>
  piece.kind === 'run' ? piece.min : Math.min(...piece.choices.map(({ length }) => length));

/** Some run of letters and digits is as long in base64 and the like of 40 characters and more. */
const BROKEN_RUN_CHARS = 12;

/** How many letters, digits, `_` and `-` stand in a row somewhere in what the grammar matches. */
export function leastRun(grammar: string): number {
  let longest = 0;
  let run = 0;
  for (const piece of parseGrammar(grammar)) {
    const isWhole =
      piece.kind === 'run'
        ? !'bces'.includes(piece.alphabet)
        : piece.choices.every((choice) => /^[\w-]*$/.test(choice));
    run = isWhole ? run + leastOf(piece) : 0;
    longest = Math.max(longest, run);
    if (!isWhole && leastOf(piece) >= 40) longest = Math.max(longest, BROKEN_RUN_CHARS);
  }
  return longest;
}
