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

const PIECE = /\{([^}]*)\}|[^{]+/g;
const RUN = /^([a-zA-Z])(\d+)(,?)(\d*)$/;
const UUID = '{x8}-{x4}-{x4}-{x4}-{x12}';

/** @throws Error when the grammar is not one: the table is ours */
export function parseGrammar(grammar: string): Piece[] {
  return [...grammar.replaceAll('{u}', UUID).matchAll(PIECE)].map(([whole, inside]) => {
    if (inside === undefined) return { kind: 'literal', choices: [whole] };
    if (inside.includes('|')) return { kind: 'literal', choices: inside.split('|') };
    const [, alphabet = '', min = '', comma = '', max = ''] = RUN.exec(inside) ?? [];
    if (ALPHABETS[alphabet] === undefined) throw new Error(`not a grammar: ${grammar}`);
    const most = comma === '' ? Number(min) : max === '' ? Infinity : Number(max);
    return { kind: 'run', alphabet, min: Number(min), max: most };
  });
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

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

/** The shortest sign. */
export const START_CHARS = 2;

/** Whether a token of the grammar may begin with these characters, as far as that shows without reading all of it. */
export function mayBeginWith(grammar: string, start: string): boolean {
  const brace = grammar.indexOf('{');
  const chars = brace < 0 || brace > start.length ? start.length : brace;
  if (!grammar.startsWith(start.slice(0, chars))) return false;
  if (chars === start.length) return true;
  const rest = start.slice(chars);
  const choices = grammar.slice(brace + 1, grammar.indexOf('}')).split('|');
  return choices.length < 2 || choices.some((one) => rest.startsWith(one) || one.startsWith(rest));
}

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
