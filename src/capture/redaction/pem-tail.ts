import { expression } from './expression.ts';
import * as KIND from './kinds.ts';
import { LINE_BREAK } from './line-prefix.ts';
import { CHUNK, FIELD, lineContent, match, prefixOf, SHORT_CHUNK } from './pem.ts';
import type { RedactionRule } from './rule.ts';

/** How far the END line is from the first line of a key, characters: one of 16,384 bits, with a path before each line. */
const TAIL_CHARS_MAX = 64 * 1024;

/** Base64 that stands behind something else on its line is a key's from here on: a name or a word is shorter. */
const WORD_CHARS_MIN = 40;

const RAW_LINE_BREAK = /\r?\n|\r/g;
const WORD = /[^\s"'`,;]+/g;
const BASE64_WORD = /^(?:[A-Za-z0-9+/=]|\\{1,3}\/)+$/;
const DASHES = '-----';

interface KeyLine {
  /** Where its base64 begins in the line. */
  start: number;
  /** Whether some of it is longer than a word. */
  isLong: boolean;
}

/** A line of nothing but base64, behind what every line has. `blank` is also a header of PEM. */
function keyLine(line: string, prefix: string): KeyLine | 'blank' | undefined {
  const start = lineContent(line, 0, prefix);
  if (start === line.length || match(FIELD, line, start) === line.length) return 'blank';
  let isLong = false;
  for (let at = start; at < line.length; ) {
    const long = match(CHUNK, line, at);
    const end = long ?? match(SHORT_CHUNK, line, at);
    if (end === undefined) return undefined;
    isLong ||= long !== undefined;
    at = lineContent(line, end, '');
  }
  return { start, isLong };
}

/** Where the base64 begins with which a line ends that begins with something else. */
function keyWords(line: string): number | undefined {
  let start: number | undefined;
  for (const { 0: word, index } of [...line.matchAll(WORD)].reverse()) {
    const isLast = start === undefined;
    if (!BASE64_WORD.test(word) || (word.length < WORD_CHARS_MIN && !isLast)) break;
    start = index;
  }
  const isKey = start !== undefined && line.length - start >= WORD_CHARS_MIN;
  return isKey ? start : undefined;
}

/** Where the lines begin that end at the END line at `at`; undefined when nothing before it is a key's. */
function tailStart(text: string, at: number, raw: boolean): number | undefined {
  const last = at < DASHES.length ? -1 : text.lastIndexOf(DASHES, at - DASHES.length);
  const from = Math.max(0, at - TAIL_CHARS_MAX, last === -1 ? 0 : last + DASHES.length);
  const body = text.slice(from, at);
  const prefix = prefixOf(text, at, raw);
  const breaks = [...body.matchAll(raw ? RAW_LINE_BREAK : LINE_BREAK)];
  let start: number | undefined;
  let isKey = false;
  let isLast = true;
  let end = body.length;
  for (let index = breaks.length - 1; index >= -1; index -= 1) {
    const lineBreak = breaks[index];
    const lineFrom = lineBreak === undefined ? 0 : lineBreak.index + lineBreak[0].length;
    const line = body.slice(lineFrom, end);
    const isEndLine = end === body.length;
    end = lineBreak?.index ?? 0;
    // What stands on the END line is what every line has before it, or the whole key.
    const onEndLine = isEndLine ? keyWords(line) : undefined;
    if (onEndLine !== undefined) return from + lineFrom + onEndLine;
    const key = isEndLine && line.endsWith(prefix) ? 'blank' : keyLine(line, prefix);
    if (key === 'blank') continue;
    if (key === undefined || !(key.isLong || isLast)) {
      const words = key === undefined ? keyWords(line) : undefined;
      return words === undefined ? (isKey ? start : undefined) : from + lineFrom + words;
    }
    start = from + lineFrom + key.start;
    isKey ||= key.isLong;
    isLast = false;
  }
  return isKey ? start : undefined;
}

/** The rest of a private key whose BEGIN line is not there: the output of `tail`, or what was left of a long one. */
export const PRIVATE_KEY_TAIL: RedactionRule = {
  id: 'PRIVATE-KEY',
  kind: KIND.privateKey,
  pattern: expression('-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----', 'y'),
  locate: (text, found) => {
    const starts = [true, false].map((raw) => tailStart(text, found.index, raw) ?? found.index);
    const start = Math.min(...starts);
    const end = found.index + found[0].length;
    return start === found.index ? undefined : { start, end };
  },
};
