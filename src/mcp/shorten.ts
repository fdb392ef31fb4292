import { headOf } from '../projections/bounds.ts';

/** How much of a value is kept: characters of a text, items of a list, keys of an object, levels of nesting. */
interface Limits {
  chars: number;
  items: number;
  keys: number;
  depth: number;
}

/** From generous to stingy; the first that fits is taken. */
const STEPS: readonly Limits[] = [
  { chars: 2000, items: 200, keys: 200, depth: 40 },
  { chars: 600, items: 60, keys: 60, depth: 20 },
  { chars: 240, items: 25, keys: 40, depth: 12 },
  { chars: 120, items: 10, keys: 30, depth: 8 },
  { chars: 60, items: 4, keys: 24, depth: 6 },
  { chars: 40, items: 1, keys: 12, depth: 4 },
];

export interface Fitted {
  value: unknown;
  /** True when something was left out. */
  shortened: boolean;
}

/** Bytes of a value as JSON; `undefined` counts as nothing. */
export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

/**
 * The value itself when its JSON has at most `bytes` bytes, otherwise what is left of it when long texts keep their
 * heads and long lists their ends, the newest. Whatever the value, the result fits (`bytes` ≥ 100).
 */
export function fitted(value: unknown, bytes: number): Fitted {
  const size = jsonBytes(value);
  if (size <= bytes) return { value, shortened: false };
  for (const limits of STEPS) {
    const less = shorten(value, limits, 0);
    if (jsonBytes(less) <= bytes) return { value: less, shortened: true };
  }
  return { value: { omitted: `${size} bytes` }, shortened: true };
}

/** A flat object with its texts cut to `chars` characters. */
export function withShortTexts(fields: object, chars: number): object {
  const cut = ([name, value]: [string, unknown]) => [
    name,
    typeof value === 'string' ? headOf(value, chars) : value,
  ];
  return Object.fromEntries(Object.entries(fields).map(cut));
}

function shorten(value: unknown, limits: Limits, depth: number): unknown {
  if (typeof value === 'string') return headOf(value, limits.chars);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= limits.depth) return '…';
  if (Array.isArray(value)) {
    const newest = value.slice(-Math.min(limits.items, value.length));
    const kept = newest.map((item) => shorten(item, limits, depth + 1));
    const left = value.length - newest.length;
    return left === 0 ? kept : [`… ${left} earlier`, ...kept];
  }
  const entries = Object.entries(value);
  const kept = entries
    .slice(0, limits.keys)
    .map(([key, field]) => [headOf(key, KEY_CHARS_MAX), shorten(field, limits, depth + 1)]);
  const left = entries.length - kept.length;
  return Object.fromEntries(left === 0 ? kept : [...kept, ['…', `${left} more`]]);
}

/** Keys are names and paths; a longer one is somebody's text. */
const KEY_CHARS_MAX = 300;
