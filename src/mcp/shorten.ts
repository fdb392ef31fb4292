import { headOf } from '../projections/bounds.ts';

/** How much is kept: characters of a text, items of a list, keys of an object, levels of nesting. */
interface Limits {
  chars: number;
  items: number;
  keys: number;
  depth: number;
}

/** Tried in this order; the first that fits is used. */
const STEPS: readonly Limits[] = [
  { chars: 2000, items: 200, keys: 200, depth: 40 },
  { chars: 600, items: 60, keys: 60, depth: 20 },
  { chars: 240, items: 25, keys: 40, depth: 12 },
  { chars: 120, items: 10, keys: 30, depth: 8 },
  { chars: 60, items: 4, keys: 24, depth: 6 },
  { chars: 40, items: 1, keys: 12, depth: 4 },
];

interface Fitted {
  value: unknown;
  shortened: boolean;
}

/** The size of a value as JSON; 0 for undefined. */
export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

/** Shortens a value until its JSON fits into `bytes` (at least 100): texts keep their beginning, lists their newest items. */
export function fitted(value: unknown, bytes: number): Fitted {
  if (mayFit(value, { bytes }) && jsonBytes(value) <= bytes) return { value, shortened: false };
  for (const limits of STEPS) {
    const room = { bytes };
    const less = shorten(value, limits, 0, room);
    if (room.bytes >= 0 && jsonBytes(less) <= bytes) return { value: less, shortened: true };
  }
  return { value: { omitted: `${jsonBytes(value)} bytes` }, shortened: true };
}

/** Bytes that are left: a large state need not be walked to its end. */
interface Room {
  bytes: number;
}

/** Subtracts a lower bound of a value's JSON, without nested values. */
function take(room: Room, value: unknown): boolean {
  if (typeof value === 'string') room.bytes -= value.length + 2;
  else if (value !== undefined) room.bytes -= 1;
  return room.bytes >= 0;
}

/** False if a value certainly does not fit. */
function mayFit(value: unknown, room: Room): boolean {
  if (!take(room, value)) return false;
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return true;
  if (Array.isArray(value)) return value.every((item) => mayFit(item, room));
  for (const key of Object.keys(value)) {
    const field = value[key as keyof typeof value] as unknown;
    if (field !== undefined && !(take(room, key) && mayFit(field, room))) return false;
  }
  return true;
}

/** A flat object with its texts cut to `chars` characters. */
export function withShortTexts(fields: object, chars: number): object {
  const cut = ([name, value]: [string, unknown]) => [
    name,
    typeof value === 'string' ? headOf(value, chars) : value,
  ];
  return Object.fromEntries(Object.entries(fields).map(cut));
}

/** The result is meaningless once there is no room left. */
function shorten(value: unknown, limits: Limits, depth: number, room: Room): unknown {
  if (room.bytes < 0) return null;
  const flat = typeof value === 'string' ? headOf(value, limits.chars) : value;
  take(room, flat);
  if (typeof flat !== 'object' || flat === null) return flat;
  if (depth >= limits.depth) return '…';
  if (Array.isArray(flat)) {
    const left = Math.max(0, flat.length - limits.items);
    const kept: unknown[] = left === 0 ? [] : [`… ${left} earlier`];
    for (let n = left; n < flat.length; n += 1) {
      kept.push(shorten(flat[n], limits, depth + 1, room));
      if (room.bytes < 0) return null;
    }
    return kept;
  }
  const names = Object.keys(flat);
  const kept: Record<string, unknown> = {};
  let left = names.length;
  for (const name of names.slice(0, limits.keys)) {
    const key = headOf(name, KEY_CHARS_MAX);
    const field = shorten(flat[name as keyof typeof flat], limits, depth + 1, room);
    if (field !== undefined) take(room, key);
    setOwn(kept, key, field);
    left -= 1;
    if (room.bytes < 0) return null;
  }
  if (left > 0) kept['…'] = `${left} more`;
  return kept;
}

/** Assigning to the key `__proto__` would change the prototype. */
function setOwn(fields: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') fields[key] = value;
  else Object.defineProperty(fields, key, { value, enumerable: true, writable: true });
}

const KEY_CHARS_MAX = 300;

/** Null for a time that no date can hold. */
export const isoTime = (at: number | null): string | null =>
  at === null || Number.isNaN(new Date(at).getTime()) ? null : new Date(at).toISOString();
