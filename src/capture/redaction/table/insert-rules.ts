import { expression } from '../expression.ts';
import * as KIND from '../kinds.ts';
import type { NamedSpan, RedactionRule } from '../rule.ts';
import { secretUnder } from './secret-under.ts';

/** Secrets in the rows of SQL's INSERT: the names of the columns tell which they are. */

/** How far before `VALUES` the columns stand, characters. */
const BEFORE_CHARS_MAX = 900;
const ESCAPE = '\\\\{1,7}[nrt]';
const SP = `(?:\\s|${ESCAPE})`;
/** All that stands before `VALUES`. Group 1: the columns. */
const COLUMNS = expression(
  `into${SP}{1,8}[^\\s()]{1,128}${SP}{0,8}\\(([^()]{1,800})\\)${SP}{0,40}(?:overriding \\w{1,8} value${SP}{1,8})?$`,
  'i',
);
const ESCAPES = new RegExp(ESCAPE, 'g');
/** The last word: behind a table's name, between any marks. */
const NAME = /(\w+)\W*$/;
const WORDS = ['VALUES', ' values'];

/** Group 1: a string. */
const TOKEN = /'((?:[^'\\]|''|\\[\s\S]){0,4096})'|[(),;]|[^'(),;]{1,512}/y;
/** White space, also as its escapes: all that stands between rows. */
const BLANK = new RegExp(`^${SP}*$`);
/** Before a string that is all of a value: nothing, or the letter of its kind. */
const LEAD = new RegExp(`^${SP}*[ENBX]?$`, 'i');

const LEAD_CHARS_MAX = 40;

/** The secrets of the rows that begin at `from`; returns where they end. */
function* inRows(
  text: string,
  from: number,
  names: readonly string[],
): Generator<NamedSpan, number> {
  let [next, depth, column, lead] = [from, 0, 0, ''];
  for (;;) {
    TOKEN.lastIndex = next;
    const [token = ';', value] = TOKEN.exec(text) ?? [];
    if (token === ';' || (depth === 0 && !'(,'.includes(token) && !BLANK.test(token))) return next;
    next += token.length;
    if (token === '(') depth += 1;
    else if (token === ')') depth -= 1;
    // A value alone, or what it is hashed of.
    const id = value && depth < 3 && LEAD.test(lead) && secretUnder(names[column] ?? '', value);
    if (id) yield { start: next - 1 - value.length, end: next - 1, id };
    if (token === ',' && depth < 2) column += 1;
    if (depth === 0) column = 0;
    lead = '(,'.includes(token) ? '' : (lead + token).slice(0, LEAD_CHARS_MAX);
  }
}

function* inserted(text: string, places: readonly number[]): Generator<NamedSpan> {
  let read = 0;
  for (const place of places) {
    const word = WORDS.find((one) => text.startsWith(one, place));
    if (word === undefined || place < read) continue;
    const before = text.slice(Math.max(0, place - BEFORE_CHARS_MAX), place);
    const columns = COLUMNS.exec(before)?.[1]?.replace(ESCAPES, ' ').split(',');
    if (columns === undefined) continue;
    const names = columns.map((column) => NAME.exec(column)?.[1] ?? '');
    read = yield* inRows(text, place + word.length, names);
  }
}

export const INSERTED: RedactionRule = {
  id: 'PASSWORD',
  ids: ['SECRET', 'API-KEY'],
  kind: KIND.setting,
  find: (text, places) => inserted(text, places.at(KIND.setting)),
};
