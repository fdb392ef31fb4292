import { holdsRawOnly, mayHoldEscapes, plainText } from './escapes.ts';
import { linesIn } from './lines.ts';
import {
  isItsValue,
  isOfSecret,
  labelOf,
  optionBefore,
  pairOf,
  singular,
} from './name-and-value.ts';
import { type RedactionOptions, type RuleSet, rulesFor } from './options.ts';
import { Places, placesOf, placesOfBoth } from './places.ts';
import { mayHoldInLines, mayHoldSecret } from './redact.ts';

/** Behind a text that is searched with others: no word holds it, no token goes on in it, and a label may end before it. */
const BEHIND_KEY = '\x1b\n';
/** The same where nothing stands under the text: a label at its end has no value (`bypassPermissions`). */
const BEHIND_VALUE = '\0\n';

/** In an event it stands for a text that is kept beside the journal. */
export const BLOB_KEY = '$blob';
/** Keys that data from outside must not have. */
const NOT_KEPT = new Set(['__proto__', BLOB_KEY]);

/** Every text of some values, and what key each stands under. */
interface Texts {
  readonly all: string[];
  /** The place of its key in `all`, or of the name beside it; -1 for none. */
  readonly keys: number[];
  /** Values seen in the value in work, texts or not. */
  values: number;
}

/** How much is searched together, UTF-16 units. */
const TOGETHER_CHARS = 256 * 1024;
/** Texts that may hold a secret, and what the scanner found in those that are not searched in another way as well. */
export type Suspects = ReadonlyMap<number, Places | undefined>;
const NONE: Suspects = new Map();

/**
 * Which texts of each value, keys included and counted as the value is walked, may hold a secret, or be one because of their
 * key. Texts and values are searched together, which costs a fraction of searching each; most hold none.
 * @param depthMax of arrays and objects inside each other
 * @param valuesMax of values within one; beyond either limit any text of it may
 * @returns undefined for a value of which any text may
 */
export function suspects(
  values: readonly unknown[],
  { first }: RedactionOptions,
  depthMax: number,
  valuesMax: number,
): (Suspects | undefined)[] {
  const found = values.map((): Suspects | undefined => undefined);
  if (first === undefined) return found;
  for (let next = 0; next < values.length; ) {
    const texts: Texts = { all: [], keys: [], values: 0 };
    const starts: [value: number, start: number, end: number][] = [];
    for (let chars = 0; next < values.length && chars < TOGETHER_CHARS; next += 1) {
      const start = texts.all.length;
      texts.values = 0;
      if (gather(values[next], -1, depthMax, valuesMax, texts)) {
        for (let at = start; at < texts.all.length; at += 1) chars += texts.all[at]!.length;
        starts.push([next, start, texts.all.length]);
      } else texts.all.length = texts.keys.length = start;
    }
    const which = suspectsOf(texts, first);
    for (const [value, start, end] of which === undefined ? [] : starts)
      found[value] = within(which!, start, end);
  }
  return found;
}

/** Those from `start` to `end`, counted from `start`. */
function within(which: Suspects, start: number, end: number): Suspects {
  if (which.size === 0) return NONE;
  const own = [...which].filter(([at]) => at >= start && at < end);
  return new Map(own.map(([at, places]) => [at - start, places]));
}

/** Undefined when any of them may be one. */
function suspectsOf(texts: Texts, first: RuleSet): Suspects | undefined {
  const { all, keys } = texts;
  const each = placesOfEach(texts);
  if (each === undefined) return undefined;
  const { places, plain } = each;
  const found = new Set<number>();
  suspect({ keys, textOf: (at) => all[at]!, places }, all.keys(), first, found);
  const isAlone = (at: number) => all[at]!.length >= ALONE_CHARS;
  if (plain === undefined)
    return new Map([...found].map((at) => [at, isAlone(at) ? places.get(at) : undefined]));
  // As each text is searched without its colours, too.
  for (const [index, known] of plain) {
    const own = known ?? placesOf(plainText(all[index]!));
    if (own.isEmpty) places.delete(index);
    else places.set(index, own);
  }
  const textOf = (at: number) => (plain.has(at) ? plainText(all[at]!) : all[at]!);
  const concerned = [...all.keys()].filter((at) => plain.has(at) || plain.has(keys[at]!));
  suspect({ keys, textOf, places }, concerned, first, found);
  return new Map([...found].map((at) => [at, undefined]));
}

const NO_PLACES = new Places();

/** False where the walk must not be left to this. */
function gather(
  value: unknown,
  key: number,
  depth: number,
  valuesMax: number,
  texts: Texts,
): boolean {
  if (typeof value === 'string') {
    texts.keys.push(key);
    texts.all.push(value);
    return true;
  }
  if (typeof value !== 'object' || value === null) return true;
  if (depth <= 0) return false;
  if (Array.isArray(value)) {
    texts.values += value.length;
    if (texts.values > valuesMax) return false;
    const lines = linesIn(value, texts.all[key]);
    if (lines !== undefined) return gather(lines, -1, depth, valuesMax, texts);
    return value.every((item, index) => {
      // Where the item before is a text, its place is the last one.
      const own = optionBefore(value, index) === undefined ? key : texts.all.length - 1;
      return gather(item, own, depth - 1, valuesMax, texts);
    });
  }
  const names = Object.keys(value);
  texts.values += names.length;
  if (texts.values > valuesMax) return false;
  const source = value as Record<string, unknown>;
  const pair = pairOf(source, names);
  let label = -1;
  let kind = -1;
  let labelled = -1;
  for (const name of names) {
    if (NOT_KEPT.has(name) || isOfSecret(source, name)) return false;
    const own = texts.all.push(singular(name, source[name])) - 1;
    texts.keys.push(-1);
    if (name === pair?.name) label = texts.all.length;
    if (name === pair?.kind) kind = own;
    if (name === pair?.value) labelled = texts.all.length;
    const under = pair === undefined && key >= 0 && isItsValue(name, source[name]) ? key : own;
    if (!gather(source[name], under, depth - 1, valuesMax, texts)) return false;
  }
  const own = key >= 0 ? texts.all[key] : undefined;
  const named = () => (labelOf(texts.all[label]!, own) === own ? key : label);
  if (labelled >= 0) texts.keys[labelled] = kind >= 0 ? kind : named();
  return true;
}

/** From this length on a text is searched by itself: to copy it costs more than to begin anew. */
const ALONE_CHARS = 1024;

/** The texts of some values as they are looked at once. */
interface Looked {
  keys: readonly number[];
  textOf: (at: number) => string;
  places: ReadonlyMap<number, Places>;
}

/**
 * The places in each of the texts that has any; undefined where one is not well-formed.
 * @returns also which of them have a terminal's sequences, and their places without these where they are known; undefined
 * where none has any
 */
function placesOfEach({
  all,
  keys,
}: Texts):
  | { places: Map<number, Places>; plain: Map<number, Places | undefined> | undefined }
  | undefined {
  const places = new Map<number, Places>();
  const plain = new Map<number, Places | undefined>();
  const short: number[] = [];
  for (let index = 0; index < all.length; index += 1) {
    const text = all[index]!;
    if (text.length < ALONE_CHARS) {
      short.push(index);
      continue;
    }
    if (!text.isWellFormed()) return undefined;
    const both = holdsRawOnly(text) ? placesOfBoth(text) : undefined;
    if (both !== undefined || plainText(text) !== text) plain.set(index, both?.plain);
    const own = both?.itself ?? placesOf(text);
    if (!own.isEmpty) places.set(index, own);
  }
  const used = new Set(keys);
  const texts = short.map((index) => `${all[index]}${used.has(index) ? BEHIND_KEY : BEHIND_VALUE}`);
  const joined = texts.join('');
  if (!joined.isWellFormed()) return undefined;
  if (mayHoldEscapes(joined)) {
    for (const index of short)
      if (plainText(all[index]!) !== all[index]) plain.set(index, undefined);
  }
  for (const [index, own] of eachOf(texts, placesOf(joined))) places.set(short[index]!, own);
  return { places, plain: plain.size > 0 ? plain : undefined };
}

/** The places in each of the texts that has any, with what stands behind it. */
function eachOf(all: readonly string[], places: Places): Map<number, Places> {
  const each = new Map<number, Places>();
  for (const kind of places.kinds) {
    let index = 0;
    let start = 0;
    for (const at of places.at(kind)) {
      for (;;) {
        const next = start + (all[index] ?? '').length;
        if (next > at) break;
        start = next;
        index += 1;
      }
      const own = each.get(index) ?? new Places();
      own.add(kind, at - start);
      each.set(index, own);
    }
  }
  return each;
}

/** @param indices of the texts that are looked at */
function suspect(
  { keys, textOf, places }: Looked,
  indices: Iterable<number>,
  first: RuleSet,
  found: Set<number>,
): void {
  const own = first.rules.filter(
    ({ kind, pattern }) => kind === undefined && pattern !== undefined,
  );
  if (own.length === 0 && places.size === 0) return;
  for (const index of indices) {
    const ofText = places.get(index);
    const key = keys[index]!;
    const ofKey = places.get(key);
    if (own.length === 0 && ofText === undefined && ofKey === undefined) continue;
    const text = textOf(index);
    const isOwn = own.length > 0 && mayHoldSecret(text, NO_PLACES, { rules: own });
    const isOne =
      isOwn ||
      (ofText !== undefined &&
        (mayHoldSecret(text, ofText, first) || mayHoldInLines({ text, places: ofText }, first)));
    const isUnderKey = () =>
      rulesFor(ofKey!, first).some(({ underKey }) => underKey?.(textOf(key), text) === true);
    if (isOne || (ofKey !== undefined && isUnderKey())) found.add(index);
  }
}
