import { findSecrets, type RedactionOptions, redactStored } from '../capture/redaction/index.ts';
import type { Describe, Finding } from './finding.ts';

export interface ValueFinding extends Finding {
  /** Place in the value: `input.command`, `content[0].text`. */
  path: string;
}

/** Names in a path come from outside. */
const PATH_CHARS_MAX = 200;

/** Finds everything that redaction would remove from a value, by redacting it and comparing. @param path the value's own place */
export function* scanValue(
  value: unknown,
  options: RedactionOptions,
  describe: Describe,
  path = '',
): Generator<ValueFinding> {
  for (const { text, rule, place } of taken(
    value,
    redactStored(value, options).value,
    path,
    options,
  ))
    yield { ...describe(rule, text), path: place.slice(0, PATH_CHARS_MAX) };
}

interface Taken {
  text: string;
  rule: string;
  place: string;
}

/** Texts that the redacted value has markers for. */
function* taken(
  before: unknown,
  after: unknown,
  path: string,
  options: RedactionOptions,
): Generator<Taken> {
  if (Object.is(before, after)) return;
  if (typeof before === 'string') {
    yield* takenOf(before, String(after), path, options);
  } else if (Array.isArray(before) && Array.isArray(after)) {
    // Lines of one text: a secret may span several of them.
    if (before.length !== after.length) yield* inText(before.join('\n'), path, options);
    else
      for (const [index, item] of before.entries())
        yield* taken(item, after[index], `${path}[${index}]`, options);
  } else if (isFields(before) && isFields(after)) {
    const made = Object.entries(after);
    const given = Object.entries(before).filter(([name]) => name !== '__proto__');
    for (const [index, [name, field]] of given.entries()) {
      const found = findSecrets(name, options);
      // The name may be a secret.
      const shown = found.length > 0 ? '…' : name;
      const inside = path === '' ? shown : `${path}.${shown}`;
      yield* inText(name, inside, options);
      yield* taken(field, made[index]?.[1], inside, options);
    }
  }
}

/** A text that became a single marker is a secret as a whole. */
function* takenOf(
  before: string,
  after: string,
  place: string,
  options: RedactionOptions,
): Generator<Taken> {
  const rule = ONE_MARKER.exec(after)?.[1];
  if (rule !== undefined) {
    yield { text: before, rule, place };
    return;
  }
  const alone = [...inText(before, place, options)];
  if (alone.length > 0) yield* alone;
  else yield* changed(before, after, place);
}

/** Found only by its context: the part in which both differ. */
function* changed(before: string, after: string, place: string): Generator<Taken> {
  const given: readonly string[] = before.match(MARKERS) ?? [];
  const rule = (after.match(MARKERS) ?? []).find((one) => !given.includes(one));
  if (rule === undefined) return;
  let start = 0;
  while (before[start] === after[start]) start += 1;
  let end = 0;
  while (end < before.length - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const text = before.slice(start, before.length - end);
  yield { text, rule: rule.slice('[REDACTED:'.length, -1), place };
}

function* inText(text: string, place: string, options: RedactionOptions): Generator<Taken> {
  for (const { start, end, id } of findSecrets(text, options))
    yield { text: text.slice(start, end), rule: id, place };
}

const MARKERS = /\[REDACTED:[A-Z0-9-]{1,40}\]/g;
const ONE_MARKER = /^\[REDACTED:([A-Z0-9-]{1,40})\]$/;

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !ArrayBuffer.isView(value);
