import * as KIND from './kinds.ts';
import type { Places } from './places.ts';
import { onDemand } from './rule.ts';

/** Of the commoner signs, what must stand in the text besides; so that the hook seldom asks for the table in vain. */
const BESIDES: Readonly<Partial<Record<number, RegExp>>> = {
  [KIND.command]: / -[abpuU]| --(?:user|proxy-user|cookie)/,
  [KIND.connection]: /ser id=|uid=|erver=|jdbc:|ource=/i,
  [KIND.terraformValue]: /value/,
};

/** The last word of a name whose value is a secret. */
const LABEL = String.raw`(?:pass\w{0,6}|pwd|secret|token|credentials?|key|authorization|cookie)\d?\d?`;
const NAME = String.raw`[\w.:/-]*${LABEL}`;
/** Quotation marks, also inside JSON inside JSON. */
const MARKS = '["\'`\\\\]+';

/**
 * What stands around the sign (`\0`) of a value that belongs to a name. In this order: `name: "…"` before `value:` and in
 * tags; the end of a tag; a label before `&quot;`; behind `set(` and `env `; statements; a Kubernetes secret's manifest.
 * Nothing is bounded: only a few characters are seen.
 */
const NAMED = onDemand(
  () =>
    new RegExp(
      String.raw`${LABEL}\s*(?=["'\`\\<\r\n])(?:[^\w=]|\\[nrt]|/name|/key)+\0 ?(?:value(?:${MARKS})?\s*[:=]\s*[^\s{(\x5b]|(?:value|string)>)|[/"'][\w:.-]*(?:passwo\0rd|p(?:ass)?\0wd|\0(?:secret|token|key))"?>|${LABEL}\0&|\0(?:\w+\(\s*${MARKS}${NAME}${MARKS}\s*,\s*["'\`\\%&]|(?:set -+)?\w+\s+${NAME}\s|identified\s+(?:with|by|as) +[^\`\s]|secure)|pass\0word(?: '|\(["'\`\\%&])|kind["'\\ \t]*:["'\\ \t]*\0Secret\b`,
      'i',
    ),
);
const AROUND_CHARS_MAX = 120;

/** A telling name at the end, but for marks and tags behind it. */
const NAME_BEFORE = onDemand(
  () => new RegExp(String.raw`${LABEL}(?:[^\w=]|\\[nrt]|/name|/key)*$`, 'i'),
);

/** What most places fail: V8 compiles an expression that is used twice, and this one only for a hundred characters. */
function mayBeNamed(before: string, behind: string): boolean {
  const call = behind.indexOf('(');
  if (call > 0 && call < CALL_CHARS_MAX)
    return '"\'`\\%&'.includes(behind.slice(call + 1).trimStart()[0] ?? ' ');
  // `value`, `&quot;`, `string>`
  const isBehindName = ' &vV'.includes(behind[0] ?? '') || behind[1] === 't';
  return !isBehindName || NAME_BEFORE().test(before);
}

/** `property(` */
const CALL_CHARS_MAX = 9;

/** Whether a name stands where the sign of this place has it. */
export function isNamed(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - AROUND_CHARS_MAX), at);
  const behind = text.slice(at, at + AROUND_CHARS_MAX);
  return mayBeNamed(before, behind) && NAMED().test(`${before}\0${behind}`);
}

/** A hash or a webhook is long; in a `.netrc` the word stands behind a machine, a login and maybe an account. */
const BEGINNING = /^(?:[\w./$+={},~@%\\-]{24}|_mmk|\w+ [\s\S]*password)/;
const BEGINNING_CHARS_MAX = 640;
const begins = (text: string, at: number): boolean =>
  BEGINNING.test(text.slice(at, at + BEGINNING_CHARS_MAX));

/** Of other signs, what stands at the place itself. */
const AT_PLACE: Readonly<Partial<Record<number, typeof begins>>> = {
  [KIND.named]: isNamed,
  [KIND.statement]: isNamed,
  [KIND.kubernetes]: isNamed,
  [KIND.place]: begins,
  [KIND.netrc]: begins,
  [KIND.hash]: begins,
};

/** Whether the sign that the scanner found is one: whether the text has what its rules cannot do without. */
export function isSign(kind: number, text: string, places: Places): boolean {
  const isOne = AT_PLACE[kind];
  if (isOne !== undefined) return places.at(kind).some((at) => isOne(text, at));
  return BESIDES[kind]?.test(text) !== false;
}
