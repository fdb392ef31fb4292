import { mayHoldEscapes, plainText } from './escapes.ts';
import { pairOf } from './name-and-value.ts';
import type { RedactionOptions, RuleSet } from './options.ts';
import { Places, placesOf } from './places.ts';
import { mayHoldSecret } from './redact.ts';

/** Between two texts that are searched as one: no word holds it, no token goes on in it, and a label may end before it. */
const BETWEEN = '\x1b\n';

/** Every text of a value, and what key each stands under. */
interface Texts {
  readonly all: string[];
  /** The place of its key in `all`, or of the name beside it; -1 for none. */
  readonly keys: number[];
  /** Values seen, texts or not. */
  values: number;
}

/**
 * Which texts of a value, keys included and counted as the value is walked, may hold a secret, or be one because of their
 * key. All of them are searched at once; most values of a hook hold none.
 * @param depthMax of arrays and objects inside each other
 * @param valuesMax of values together; beyond either limit any text may
 * @returns undefined when any text may
 */
export function suspects(
  value: unknown,
  { first }: RedactionOptions,
  depthMax: number,
  valuesMax: number,
): ReadonlySet<number> | undefined {
  if (first === undefined) return undefined;
  const texts: Texts = { all: [], keys: [], values: 0 };
  if (!gather(value, -1, depthMax, valuesMax, texts)) return undefined;
  const joined = texts.all.join(BETWEEN);
  if (!joined.isWellFormed()) return undefined;
  const found = new Set<number>();
  suspect(texts, joined, first, found);
  // As each text is searched without its colours, too.
  if (mayHoldEscapes(joined)) {
    const plain = texts.all.map(plainText);
    suspect({ ...texts, all: plain }, plain.join(BETWEEN), first, found);
  }
  return found;
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
    return value.every((item) => gather(item, key, depth - 1, valuesMax, texts));
  }
  const names = Object.keys(value);
  texts.values += names.length;
  if (texts.values > valuesMax) return false;
  const source = value as Record<string, unknown>;
  const pair = pairOf(source, names);
  let label = -1;
  let labelled = -1;
  for (const name of names) {
    if (name === '__proto__') return false;
    const own = texts.all.push(name) - 1;
    texts.keys.push(-1);
    if (name === pair?.name) label = texts.all.length;
    if (name === pair?.value) labelled = texts.all.length;
    if (!gather(source[name], own, depth - 1, valuesMax, texts)) return false;
  }
  if (labelled >= 0) texts.keys[labelled] = label;
  return true;
}

/** The places in each of the texts that has any, as if it had been searched alone. */
function eachOf(all: readonly string[], places: Places): Map<number, Places> {
  const each = new Map<number, Places>();
  for (const kind of places.kinds) {
    let index = 0;
    let start = 0;
    for (const at of places.at(kind)) {
      for (;;) {
        const next = start + (all[index] ?? '').length + BETWEEN.length;
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

/** @param joined all of the texts */
function suspect({ all, keys }: Texts, joined: string, first: RuleSet, found: Set<number>): void {
  const own = first.rules.filter(
    ({ kind, pattern }) => kind === undefined && pattern !== undefined,
  );
  if (own.length > 0) {
    for (const [index, text] of all.entries())
      if (mayHoldSecret(text, NO_PLACES, { rules: own })) found.add(index);
  }
  const places = placesOf(joined);
  if (places.isEmpty) return;
  const each = eachOf(all, places);
  for (const [index, ofText] of each)
    if (mayHoldSecret(all[index] ?? '', ofText, first)) found.add(index);
  for (const [index, key] of keys.entries()) {
    if (!each.has(key)) continue;
    const text = all[index] ?? '';
    if (first.rules.some(({ underKey }) => underKey?.(all[key] ?? '', text))) found.add(index);
  }
}
