import { crc32Base62 } from '../../../../src/capture/redaction/table/checksums.ts';
import { parseGrammar } from '../../../../src/capture/redaction/table/grammar.ts';
import { tokenRows } from '../../../../src/capture/redaction/table/token-rules.ts';
import { vendorRows } from '../../../../src/capture/redaction/table/vendor-rules.ts';
import { BASE62, chars, HEX, pick, type Random } from '../samples.ts';

/** Tokens that never were, made at run time from the grammars of the table: no line of this repository looks like one. */

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LOWER = UPPER.toLowerCase();
const DIGITS = '0123456789';

const LETTERS: Record<string, string> = {
  d: DIGITS,
  h: HEX,
  x: HEX,
  a: LOWER,
  l: UPPER + LOWER,
  k: DIGITS + LOWER,
  K: DIGITS + UPPER,
  n: BASE62,
  w: `${BASE62}-_`,
  b: `${BASE62}+/`,
  e: `${BASE62}+/`,
  c: `${BASE62}-_`,
  s: `${BASE62}-_`,
};

/** Characters more than the least that an open run is made of. */
const OPEN_CHARS_MAX = 24;

/** A text of the grammar. */
export function ofGrammar(grammar: string, random: Random): string {
  return parseGrammar(grammar)
    .map((piece) => {
      if (piece.kind === 'literal') return pick(random, piece.choices);
      const { alphabet, min, max } = piece;
      const count = min + random((max === Infinity ? OPEN_CHARS_MAX : max - min) + 1);
      const letters = LETTERS[alphabet] ?? BASE62;
      // Nobody's key begins or ends with a sign.
      const end = (times: number) => chars(random, letters.replace(/[^A-Za-z0-9]/g, ''), times);
      return count < 3 ? end(count) : end(1) + chars(random, letters, count - 2) + end(1);
    })
    .join('');
}

/** One kind of secret: where it stands in the table, and one of them for each call. */
export interface Kind {
  id: string;
  grammar: string;
  /** Known by its label alone. */
  label?: string;
  make: (random: Random) => string;
}

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const url = (random: Random, count: number) => chars(random, `${BASE62}-_`, count);

const CUSTOM: Record<string, (random: Random) => string> = {
  'GITHUB-TOKEN': (random) => {
    const part = (count: number) => chars(random, BASE62, count);
    return `ghs_${part(36)}.${part(60)}.${part(43)}`;
  },
  'SLACK-TOKEN': (random) => {
    const number = (count: number) => chars(random, DIGITS, count);
    const user = `xox${pick(random, ['b', 'p', 'a', 'r', 's', 'e', 'c'])}-${number(12)}-${number(13)}-${chars(random, BASE62, 24)}`;
    const app = `xapp-1-A${chars(random, BASE62, 10)}-${number(13)}-${chars(random, HEX, 64)}`;
    return pick(random, [user, app]);
  },
  'OPENAI-KEY': (random) =>
    `sk-my-project-${chars(random, BASE62, 20)}T3Blbk${'FJ'}${chars(random, BASE62, 20)}`,
  JWT: (random) => {
    const header = base64url({ alg: pick(random, ['HS256', 'RS256', 'ES256']), typ: 'JWT' });
    const payload = base64url({ sub: chars(random, DIGITS, 10), name: chars(random, BASE62, 12) });
    return `${header}.${payload}.${chars(random, BASE62, 1)}${url(random, 41)}${chars(random, BASE62, 1)}`;
  },
  'TELEGRAM-TOKEN': (random) =>
    `${1 + random(9)}${chars(random, DIGITS, 9)}:AA${pick(random, ['E', 'F', 'G', 'H'])}${url(random, 31)}${chars(random, BASE62, 1)}`,
};

function withChecksum(grammar: string, random: Random): string {
  const token = ofGrammar(grammar, random).slice(0, grammar.startsWith('npm') ? 34 : 34);
  return token + crc32Base62(token.slice(4));
}

/** Every kind of token of the table. */
export function allKinds(): Kind[] {
  const tokens = tokenRows().map(
    ({ id, grammar, hasChecksum }): Kind => ({
      id,
      grammar,
      make: (random) => (hasChecksum ? withChecksum(grammar, random) : ofGrammar(grammar, random)),
    }),
  );
  const custom = Object.entries(CUSTOM).map(
    ([id, make]): Kind => ({ id, grammar: 'custom', make }),
  );
  const labelled = vendorRows().flatMap(({ id, words, grammars }) =>
    grammars.map(
      (grammar): Kind => ({
        id,
        grammar,
        label: words[0]!,
        make: (random) => ofGrammar(grammar, random),
      }),
    ),
  );
  return [...tokens, ...custom, ...labelled];
}

/** What of a sample must not remain: the bot's number may. */
export const secretPart = ({ id }: Kind, token: string): string =>
  id === 'TELEGRAM-TOKEN' ? token.slice(token.indexOf(':') + 1) : token;
