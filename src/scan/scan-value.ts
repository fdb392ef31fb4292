import { findSecrets, type RedactionOptions, redactValue } from '../capture/redaction/index.ts';
import type { Describe, Finding } from './finding.ts';

export interface ValueFinding extends Finding {
  /** Where in the value: `input.command`, `content[0].text`. */
  path: string;
}

/** Arrays and objects inside each other; the journal keeps no more than 64. */
const DEPTH_MAX = 100;
/** Of a path, characters: its names come from outside. */
const PATH_CHARS_MAX = 200;

/** The secrets in every text of a value, and under every telling key. */
export function* scanValue(
  value: unknown,
  options: RedactionOptions,
  describe: Describe,
  path = '',
  key: string | undefined = undefined,
  depth = 0,
): Generator<ValueFinding> {
  if (typeof value === 'string') {
    yield* scanText(value, options, describe, path, key);
    return;
  }
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return;
  if (depth >= DEPTH_MAX) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      yield* scanValue(item, options, describe, `${path}[${index}]`, key, depth + 1);
    return;
  }
  for (const [name, field] of Object.entries(value)) {
    const inside = path === '' ? safeName(name, options) : `${path}.${safeName(name, options)}`;
    yield* scanText(name, options, describe, inside, undefined);
    yield* scanValue(field, options, describe, inside, name, depth + 1);
  }
}

/** A name may be a secret itself. */
const safeName = (name: string, options: RedactionOptions): string =>
  findSecrets(name, options).length > 0 ? '…' : name;

function* scanText(
  text: string,
  options: RedactionOptions,
  describe: Describe,
  path: string,
  key: string | undefined,
): Generator<ValueFinding> {
  const shown = path.slice(0, PATH_CHARS_MAX);
  const found = findSecrets(text, options);
  for (const { start, end, id } of found) {
    yield { ...describe(id, text.slice(start, end)), path: shown };
  }
  if (found.length > 0 || key === undefined) return;
  const [rule] = Object.keys(redactValue({ [key]: text }, options).counts);
  if (rule !== undefined) yield { ...describe(rule, text), path: shown };
}
