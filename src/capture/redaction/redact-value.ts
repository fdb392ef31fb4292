import { linesIn } from './lines.ts';
import {
  isItsValue,
  isOfSecret,
  labelOf,
  optionBefore,
  pairOf,
  singular,
} from './name-and-value.ts';
import { BLOB_KEY, type Suspects, suspects } from './nothing.ts';
import { isAllowed, type RedactionOptions, type RuleSet } from './options.ts';
import { redactSuspect, redactText } from './redact.ts';
import { marker, type RedactionCount } from './rule.ts';
import { withDistinctKeys } from './rules-here.ts';
import { isPlaceholder } from './values.ts';

/** Arrays and objects inside each other. Clients nest about ten deep; the walk is recursive. */
export const DEPTH_MAX = 100;

/** Values of one tree: a hostile `[0,0,0,…]` of the largest hook input (16 MiB) has 8 million. */
export const VALUES_MAX = 1_000_000;

/** Texts of one tree that are searched one by one, for they may hold a secret: each takes some 50 µs, and a hook has seconds. */
export const SEARCHED_MAX = 20_000;

/** In the place of what is beyond a limit: what was not searched is not written. */
export const TOO_DEEP = 'TOO-DEEP';
export const TOO_MANY = 'TOO-MANY';

export interface RedactedValue {
  value: unknown;
  /** By rule id; beyond a limit by `TOO-DEEP` and `TOO-MANY`. */
  counts: RedactionCount;
  /** Lone surrogates that became U+FFFD: neither UTF-8 nor MessagePack can hold them. */
  loneSurrogates: number;
}

interface Walk {
  options: RedactionOptions;
  /** Whether `$blob` is the journal's own word in it. */
  isStored: boolean;
  counts: RedactionCount;
  loneSurrogates: number;
  values: number;
  /** Texts walked so far, and of which of them any look at is worth it: undefined for all. */
  texts: number;
  suspects: Suspects | undefined;
  searched: number;
}

/**
 * Redacts every string of a JSON value, keys included, and what stands under a telling key (`{"password": "…"}`) or beside a
 * telling name (`{"name": "DB_PASSWORD", "value": "…"}`).
 * Returns the very same value when nothing changed, otherwise a copy that shares the unchanged parts; the given value is
 * never written to. An own key `__proto__`, which would set a prototype where it is copied, is left out; `$blob`, by which the
 * journal refers to a text beside it, becomes `$$blob`.
 */
export const redactValue = (value: unknown, options: RedactionOptions): RedactedValue =>
  redactValues([value], options)[0]!;

/** The same of what is in the journal or was made of it, where `$blob` refers to a text beside it: references stay as they are. */
export const redactStored = (value: unknown, options: RedactionOptions): RedactedValue =>
  redactAll([value], options, true)[0]!;

/** The same as `redactValue` of several values: to search them together costs a fraction of searching each. */
export const redactValues = (
  values: readonly unknown[],
  options: RedactionOptions,
): RedactedValue[] => redactAll(values, options, false);

function redactAll(
  values: readonly unknown[],
  options: RedactionOptions,
  isStored: boolean,
): RedactedValue[] {
  const found = suspects(values, options, DEPTH_MAX, VALUES_MAX);
  return values.map((value, index) => {
    const ofValue = found[index];
    const walk = {
      options,
      isStored,
      counts: {},
      loneSurrogates: 0,
      values: 0,
      texts: 0,
      suspects: ofValue,
      searched: 0,
    };
    const result = ofValue?.size === 0 ? value : visit(value, undefined, 0, walk);
    return { value: result, counts: walk.counts, loneSurrogates: walk.loneSurrogates };
  });
}

function visit(value: unknown, key: string | undefined, depth: number, walk: Walk): unknown {
  if (typeof value === 'string') return visitText(value, key, walk);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEPTH_MAX) return leaveOut(TOO_DEEP, walk);
  const names = Array.isArray(value) ? undefined : Object.keys(value);
  walk.values += names?.length ?? (value as unknown[]).length;
  if (walk.values > VALUES_MAX) return leaveOut(TOO_MANY, walk);
  return names === undefined
    ? visitArray(value as unknown[], key, depth, walk)
    : visitObject(value as Record<string, unknown>, names, key, depth, walk);
}

function leaveOut(reason: string, walk: Walk): string {
  add(walk.counts, { [reason]: 1 });
  return marker(reason);
}

function visitArray(source: unknown[], key: string | undefined, depth: number, walk: Walk) {
  const lines = linesIn(source, key);
  if (lines !== undefined) {
    const text = visitText(lines, undefined, walk);
    return text === lines ? source : text.split('\n');
  }
  const copy = source.map((value, index) => {
    return visit(value, optionBefore(source, index) ?? key, depth + 1, walk);
  });
  return copy.every((value, index) => Object.is(value, source[index])) ? source : copy;
}

function visitObject(
  source: Record<string, unknown>,
  names: readonly string[],
  owner: string | undefined,
  depth: number,
  walk: Walk,
): unknown {
  const entries: [string, unknown][] = [];
  let changed = false;
  const pair = pairOf(source, names);
  for (const name of names) {
    if (walk.isStored && name === BLOB_KEY && isBlobName(source[name])) {
      entries.push([name, source[name]]);
      continue;
    }
    const isWord = name === BLOB_KEY && !walk.isStored;
    const key = isWord ? `$${name}` : visitText(name, undefined, walk);
    const isOwners = pair === undefined && owner !== undefined && isItsValue(name, source[name]);
    const own = isOwners ? owner : singular(name, source[name]);
    const under =
      name === pair?.value ? (pair.kind ?? labelOf(String(source[pair.name]), owner)) : own;
    const given = isOfSecret(source, name) ? withoutSecrets(source[name], walk) : source[name];
    const value = visit(given, under, depth + 1, walk);
    changed ||= key !== name || !Object.is(value, source[name]) || name === '__proto__';
    if (name !== '__proto__') entries.push([key, value]);
  }
  return changed ? Object.fromEntries(withDistinctKeys(entries)) : source;
}

/** As the journal names a text beside it. */
const isBlobName = (value: unknown): boolean =>
  typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);

/** The data of a Kubernetes secret, where these are looked for: each of its texts is one, whatever it is called. */
function withoutSecrets(data: unknown, { options, counts }: Walk): unknown {
  if (typeof data !== 'object' || data === null) return data;
  if (!options.rules.some(({ id, ids }) => id === OF_SECRET || ids?.includes(OF_SECRET)))
    return data;
  const entries = Object.entries(data).map(([name, value]): [string, unknown] => {
    if (typeof value !== 'string' || isPlaceholder(value) || isAllowed(value, options))
      return [name, value];
    add(counts, { [OF_SECRET]: 1 });
    return [name, marker(OF_SECRET)];
  });
  const isChanged = entries.some(([name, value]) => !Object.is(value, Reflect.get(data, name)));
  return isChanged ? Object.fromEntries(entries) : data;
}

const OF_SECRET = 'KUBERNETES-SECRET';

function visitText(value: string, key: string | undefined, walk: Walk): string {
  const index = walk.texts;
  walk.texts += 1;
  if (walk.suspects?.has(index) === false) return value;
  if (walk.searched >= SEARCHED_MAX) return leaveOut(TOO_MANY, walk);
  const text = wellFormed(value, walk);
  const { text: redacted, counts } =
    walk.suspects === undefined
      ? redactText(text, walk.options)
      : redactSuspect(text, walk.options, walk.suspects.get(index));
  // Where nobody has looked before, most hold nothing, and take no time.
  if (walk.suspects !== undefined || redacted !== text) walk.searched += 1;
  const rule = key === undefined ? undefined : ruleUnder(key, text, redacted, walk.options);
  if (rule === undefined || ONE_MARKER.test(redacted)) {
    add(walk.counts, counts);
    return redacted;
  }
  add(walk.counts, { [rule]: 1 });
  return marker(rule);
}

const ONE_MARKER = /^\[REDACTED:[A-Z0-9-]{1,40}\]$/;

/** Without one of these in its name, no rule knows a key. */
const TELLING =
  'pass pw secret token credential key authorization cookie httponly psk sessid sessionid connect.sid mnemonic phrase _pat -pat _auth rt-api b-team'.split(
    ' ',
  );

function isTelling(key: string): boolean {
  const name = key.toLowerCase();
  return TELLING.some((word) => name.includes(word));
}

/** The rule for which the whole value is a secret because of its key, before or after what was found inside it. */
function ruleUnder(
  key: string,
  text: string,
  redacted: string,
  options: RedactionOptions,
): string | undefined {
  const set = options.first ?? options;
  if (!isTelling(key) || isAllowed(text, options)) return undefined;
  // Every rule that knows a key is one of the first ones; what it is called is for all of them to say.
  if (ruleOfKey(key, text, redacted, set) === undefined) return undefined;
  const rule = ruleOfKey(key, text, redacted, options);
  return rule?.nameUnderKey?.(key, text) ?? rule?.nameUnderKey?.(key, redacted) ?? rule?.id;
}

const ruleOfKey = (key: string, text: string, redacted: string, { rules }: RuleSet) =>
  rules.find(
    ({ underKey }) => underKey?.(key, text) || (redacted !== text && underKey?.(key, redacted)),
  );

const LONE_SURROGATE = /[\ud800-\udfff]/gu;

function wellFormed(text: string, walk: Walk): string {
  if (text.isWellFormed()) return text;
  return text.replace(LONE_SURROGATE, () => {
    walk.loneSurrogates += 1;
    return '\ufffd';
  });
}

function add(counts: RedactionCount, more: RedactionCount): void {
  for (const id of Object.keys(more)) counts[id] = (counts[id] ?? 0) + (more[id] ?? 0);
}
