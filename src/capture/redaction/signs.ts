import { KIND } from './kinds.ts';
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
      String.raw`${LABEL}[ \t]*(?=["'\`\\<\r\n])(?:[^\w=]|\\[nrt]|/name|/key)+\0 ?(?:value(?:${MARKS})?[ \t]*[:=][ \t]*[^\s{[(]|(?:value|string)>)|[/"'][\w:.-]*(?:passwo\0rd|p(?:ass)?\0wd|\0(?:secret|token|key))"?>|${LABEL}\0&|\0(?:\w+\(\s*${MARKS}${NAME}${MARKS}\s*,\s*["'\`\\%&]|(?:set -+)?\w+[ \t]+${NAME}[ \t]|identified[ \t]+(?:with|by|as)|secure)|pass\0word(?: '|\(["'\`\\%&])|kind["'\\ \t]*:["'\\ \t]*\0Secret\b`,
      'i',
    ),
);
const AROUND_CHARS_MAX = 120;

/** Whether a name stands where the sign of this place has it. */
export const isNamed = (text: string, at: number): boolean =>
  NAMED().test(
    `${text.slice(Math.max(0, at - AROUND_CHARS_MAX), at)}\0${text.slice(at, at + AROUND_CHARS_MAX)}`,
  );

/** Most of what these signs begin is long; of a `.netrc` the word, as far from it as a machine, a login and an account go. */
const BEGINNING = /^(?:[\w.$~\\/%@+={},-]{24}|_mmk|\w+ [^]*password)/;
const BEGINNING_CHARS_MAX = 640;
const begins = (text: string, at: number): boolean =>
  BEGINNING.test(text.slice(at, at + BEGINNING_CHARS_MAX));

/** Of other signs, what stands at the place itself. */
const AT_PLACE: Readonly<Partial<Record<number, typeof begins>>> = {
  [KIND.named]: isNamed,
  [KIND.statement]: isNamed,
  [KIND.kubernetes]: isNamed,
  [KIND.place]: begins,
  [KIND.signedUrl]: begins,
  [KIND.netrc]: begins,
  [KIND.hash]: begins,
};

/** Whether the sign that the scanner found is one: whether the text has what its rules cannot do without. */
export function isSign(kind: number, text: string, places: Places): boolean {
  const isOne = AT_PLACE[kind];
  if (isOne !== undefined) return places.at(kind).some((at) => isOne(text, at));
  return BESIDES[kind]?.test(text) !== false;
}
