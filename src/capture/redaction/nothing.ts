import { mayHoldEscapes } from './escapes.ts';
import type { RedactionOptions, RuleSet } from './options.ts';
import { Places, placesOf } from './places.ts';
import { mayHoldSecret } from './redact.ts';

/** Between two texts that are searched as one: no word holds it, no token goes on in it, and a label may end before it. */
const BETWEEN = '\x1b\n';

/** Every text of a value, and what key each stands under. */
interface Texts {
  readonly all: string[];
  /** The place of its key in `all`; -1 for none. */
  readonly keys: number[];
  /** Values seen, texts or not. */
  values: number;
}

/**
 * Whether a value is surely to be kept as it is: no text of it may hold a secret, nor be one because of its key. All of them
 * are searched at once; most values of a hook end here.
 * @param depthMax of arrays and objects inside each other
 * @param valuesMax of values together; beyond either limit the answer is no
 */
export function holdsNothing(
  value: unknown,
  { first }: RedactionOptions,
  depthMax: number,
  valuesMax: number,
): boolean {
  if (first === undefined) return false;
  const texts: Texts = { all: [], keys: [], values: 0 };
  if (!gather(value, -1, depthMax, valuesMax, texts)) return false;
  const { all, keys } = texts;
  const joined = all.join(BETWEEN);
  // A text with colours is searched without them, too, which is left to the walk.
  if (!joined.isWellFormed() || mayHoldEscapes(joined)) return false;
  const own = first.rules.filter(
    ({ kind, pattern }) => kind === undefined && pattern !== undefined,
  );
  if (own.length > 0 && all.some((text) => mayHoldSecret(text, NO_PLACES, { rules: own })))
    return false;
  const places = placesOf(joined);
  return places.isEmpty || !mayHoldAny(all, keys, eachOf(all, places), first);
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
  for (const name of names) {
    if (name === '__proto__') return false;
    const own = texts.all.push(name) - 1;
    texts.keys.push(-1);
    if (!gather((value as Record<string, unknown>)[name], own, depth - 1, valuesMax, texts))
      return false;
  }
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

function mayHoldAny(
  all: readonly string[],
  keys: readonly number[],
  each: ReadonlyMap<number, Places>,
  first: RuleSet,
): boolean {
  for (const [index, places] of each) {
    if (mayHoldSecret(all[index] ?? '', places, first)) return true;
  }
  const knowing = first.rules.filter(({ underKey }) => underKey !== undefined);
  return keys.some((key, index) => {
    if (!each.has(key)) return false;
    return knowing.some(({ underKey }) => underKey?.(all[key] ?? '', all[index] ?? ''));
  });
}
