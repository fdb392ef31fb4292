import { withDistinctKeys } from './distinct-keys.ts';
import { isOfSecret, linesIn, optionBefore, pairOf } from './name-and-value.ts';
import { isAllowed, type RedactionOptions } from './options.ts';
import { redactText } from './redact.ts';
import { marker, type RedactionCount } from './rule.ts';
import { mayHoldSecret } from './search/gate.ts';
import { isPlaceholder } from './search/value-test.ts';
import { idUnder } from './table/label-rules.ts';

/** Arrays and objects inside each other. Clients nest about ten deep; the walk is recursive. */
export const DEPTH_MAX = 100;
/** Values of one tree: a hostile `[0,0,0,…]` of the largest hook input (16 MiB) has 8 million. */
export const VALUES_MAX = 1_000_000;
/** Texts of one tree in which something was found: each takes some 50 µs, and a hook has seconds. */
export const SEARCHED_MAX = 20_000;

/** Replaces values beyond a limit: unscanned text is never stored. */
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
  redacted(value, options, false);

/** The same of what is in the journal or was made of it, where `$blob` refers to a text beside it: references stay as they are. */
export const redactStored = (value: unknown, options: RedactionOptions): RedactedValue =>
  redacted(value, options, true);

function redacted(given: unknown, options: RedactionOptions, isStored: boolean): RedactedValue {
  const walk: Walk = { options, isStored, counts: {}, loneSurrogates: 0, values: 0, searched: 0 };
  const value = visit(given, undefined, 0, walk);
  return { value, counts: walk.counts, loneSurrogates: walk.loneSurrogates };
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
  const copy = source.map((value, index) =>
    visit(value, optionBefore(source, index) ?? key, depth + 1, walk),
  );
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
    if (walk.isStored && name === '$blob' && isBlobName(source[name])) {
      entries.push([name, source[name]]);
      continue;
    }
    const key = name === '$blob' && !walk.isStored ? `$${name}` : visitText(name, undefined, walk);
    // `{"name": "DB_PASSWORD", "value": "…"}`, `{"secret": {"value": "…"}}`
    const isOwners = pair === undefined && owner !== undefined && name === 'value';
    const under = name === pair?.value ? String(source[pair.name]) : isOwners ? owner : name;
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

const OF_SECRET = 'KUBERNETES-SECRET';

/** The data of a Kubernetes secret: each of its texts is one, whatever it is called. */
function withoutSecrets(data: unknown, walk: Walk): unknown {
  const { options } = walk;
  if (typeof data !== 'object' || data === null || !isWanted(OF_SECRET, options)) return data;
  const entries = Object.entries(data).map(([name, value]): [string, unknown] => {
    if (typeof value !== 'string' || isPlaceholder(value) || isAllowed(value, options))
      return [name, value];
    return [name, leaveOut(OF_SECRET, walk)];
  });
  const isChanged = entries.some(([name, value]) => !Object.is(value, Reflect.get(data, name)));
  return isChanged ? Object.fromEntries(entries) : data;
}

const isWanted = (id: string, { builtin, only }: RedactionOptions): boolean =>
  builtin && (only === undefined || only === id);

function visitText(value: string, key: string | undefined, walk: Walk): string {
  const text = wellFormed(value, walk);
  if (walk.searched >= SEARCHED_MAX)
    return mayHoldSecret(text, walk.options) ? leaveOut(TOO_MANY, walk) : text;
  const { text: result, counts } = redactText(text, walk.options);
  if (result !== text) walk.searched += 1;
  const rule =
    key === undefined || ONE_MARKER.test(result) ? undefined : ruleUnder(key, text, walk.options);
  add(walk.counts, rule === undefined ? counts : { [rule]: 1 });
  return rule === undefined ? result : marker(rule);
}

const ONE_MARKER = /^\[REDACTED:[A-Z0-9-]{1,40}\]$/;

/** Headers and options of command lines have their own names. An agent's session is named so, too. */
function ruleUnder(key: string, text: string, options: RedactionOptions): string | undefined {
  if (!options.builtin || text === '' || isAllowed(text, options)) return undefined;
  const id = /^(?:proxy-)?authorization$/i.test(key)
    ? schemeOf(text)
    : AGENT_SESSION.test(key)
      ? undefined
      : idUnder(key, text);
  return id !== undefined && isWanted(id, options) ? id : undefined;
}

const AGENT_SESSION = /^session_?id$/i;

function schemeOf(text: string): string | undefined {
  const [, scheme = '', credentials = ''] = /^(Basic|Bearer) ([\w.~+/=:-]{3,})$/i.exec(text) ?? [];
  if (isPlaceholder(credentials)) return undefined;
  return scheme.toLowerCase() === 'basic' ? 'BASIC-AUTH' : 'BEARER-TOKEN';
}

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
