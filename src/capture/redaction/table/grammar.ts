/**
 * How a token's grammar is written in the table: literal text, and in braces what varies.
 *
 *   {n36}      36 characters of an alphabet, named by one letter (`ALPHABETS`)
 *   {n20,40}   20 to 40 of them
 *   {n20,}     20 or more, only at the end
 *   {live|test}  one of these
 *   {u}        a UUID
 */
export const ALPHABETS: Readonly<Record<string, string>> = {
  d: '0-9',
  h: '0-9a-f',
  x: '0-9a-fA-F',
  a: 'a-z',
  l: 'A-Za-z',
  k: '0-9a-z',
  K: '0-9A-Z',
  B: 'A-Z2-7',
  n: 'A-Za-z0-9',
  w: '\\w-',
  b: 'A-Za-z0-9+/',
  e: 'A-Za-z0-9+/=',
  c: '\\w.=-',
};

export type Piece =
  | { kind: 'literal'; choices: readonly string[] }
  | { kind: 'run'; alphabet: string; min: number; max: number };

const UUID = '{x8}-{x4}-{x4}-{x4}-{x12}';

/** In plain code, as is what follows: a hook that meets one token would make five expressions to read its grammar. */
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
export function parseGrammar(grammar: string): Piece[] {
  const pieces: Piece[] = [];
  const text = grammar.replaceAll('{u}', UUID);
  for (let at = 0; at < text.length; ) {
    const open = text.indexOf('{', at);
    const end = open === at ? text.indexOf('}', at) + 1 : open < 0 ? text.length : open;
    const piece: Piece | undefined =
      open === at
        ? pieceOf(text.slice(at + 1, end - 1))
        : { kind: 'literal', choices: [text.slice(at, end)] };
    if (piece === undefined || end <= at) throw new Error(`not a grammar: ${grammar}`);
    pieces.push(piece);
    at = end;
  }
  return pieces;
}

const SIGNS = '\\^$.*+?()[]{}|/-';
const escaped = (text: string): string =>
  [...text].map((char) => (SIGNS.includes(char) ? `\\${char}` : char)).join('');

/** `+`, `/` and `=` in a URL or the body of a form. */
const ENCODED = '%(?:2[BbFf]|3[Dd])';

/** The source of the expression that matches the grammar, up to where its last run ends for good. */
export function grammarSource(grammar: string): string {
  const pieces = parseGrammar(grammar);
  const source = pieces.map((piece) => {
    if (piece.kind === 'literal') {
      const choices = piece.choices.map(escaped);
      return choices.length === 1 ? choices[0] : `(?:${choices.join('|')})`;
    }
    const alphabet = ALPHABETS[piece.alphabet] ?? '';
    const isEncoded = alphabet.includes('+');
    const one = isEncoded ? `(?:[${alphabet}]|${ENCODED})` : `[${alphabet}]`;
    if (piece.max === Infinity) {
      const rest = isEncoded ? `(?:${ENCODED}[${alphabet}]*){0,64}` : '';
      return `${one}{${piece.min}}[${alphabet}]*${rest}`;
    }
    return `${one}{${piece.min}${piece.max === piece.min ? '' : `,${piece.max}`}}`;
  });
  const last = pieces.at(-1);
  const isOpen = last?.kind === 'run' && last.max === Infinity;
  const goesOn = last?.kind === 'run' ? `A-Za-z0-9${ALPHABETS[last.alphabet] ?? ''}` : 'A-Za-z0-9';
  return source.join('') + (isOpen ? '' : `(?![${goesOn}])`);
}

/** Characters that tell where a token may begin. */
export const SIGN_CHARS_MAX = 7;

/** How tokens of the grammar begin: all literal beginnings of up to seven characters. */
export function signsOf(grammar: string): string[] {
  let signs = [''];
  for (const piece of parseGrammar(grammar)) {
    if (piece.kind === 'run' || signs.every((sign) => sign.length >= SIGN_CHARS_MAX)) break;
    signs = signs.flatMap((sign) =>
      sign.length >= SIGN_CHARS_MAX ? [sign] : piece.choices.map((choice) => sign + choice),
    );
  }
  return [...new Set(signs.map((sign) => sign.slice(0, SIGN_CHARS_MAX)))];
}
