import {
  findSecrets,
  onlyRule,
  type RedactionOptions,
  redactStored,
  redactText,
  ruleIds,
} from '../capture/redaction/index.ts';
import { nearName } from '../platform/config/nearest.ts';
import { Ben10Error } from '../platform/errors.ts';
import { unescaped } from './decoded.ts';
import { BLOB_NAME, type Finder } from './finder.ts';
import { assertFew, viewsOf } from './pattern.ts';
import type { Said } from './search-text.ts';
import { textFinder } from './text-finder.ts';

/** What a rule finds is looked for elsewhere too, unless it is so short that it stands in other words. */
const VALUE_CHARS_MIN = 8;

/** All redaction that one rule does. @throws Ben10Error USAGE with the nearest id when there is no such rule */
export function optionsOfRule(id: string, all: RedactionOptions): RedactionOptions {
  const options = onlyRule(id.toUpperCase(), all);
  if (options === undefined) throw noRule(id, all);
  return options;
}

/**
 * Finds what one redaction rule finds now, by what stands around it too, and the values that it has found in every form, also
 * where they stand alone.
 */
export function ruleFinder(options: RedactionOptions, values: Iterable<string>): Finder {
  const known = textFinder([...values]);
  const byRule = (text: string) => redactText(text, options).text;
  const dataByRule = (data: unknown) => redactStored(data, options).value;
  return {
    isIn(bytes) {
      const text = bytes.toString('utf8');
      return byRule(text) !== text || known.isIn(bytes);
    },
    // Texts stand side by side there: what a rule finds over two of them is no secret.
    isInFile: known.isInFile,
    withoutIt: (text) => known.withoutIt(byRule(text)),
    dataWithoutIt: (data) => known.dataWithoutIt(dataByRule(data)),
    // What is left of a token that was cut is none to a rule.
    stateWithoutIt: (state) => known.stateWithoutIt(dataByRule(state)),
  };
}

/**
 * Meets a rule with what the journal says, decoded too: what it finds is then looked for in every form.
 * @param found is told the values
 * @throws Ben10Error LIMIT_EXCEEDED when the rule finds too many different ones
 */
export function meetRule(
  options: RedactionOptions,
  said: Iterable<Said>,
  found: Set<string>,
): void {
  for (const { texts, data } of said) {
    for (const value of valuesInData(data, options)) found.add(value);
    for (const text of texts) {
      for (const view of viewsOf(text)) {
        if (view !== text) for (const value of valuesInText(view, options)) found.add(value);
      }
    }
    assertFew(found, 'rule');
  }
}

/** Whether the rule finds anything in a text, as it stands there or decoded. */
export function isInViews(text: string, options: RedactionOptions): boolean {
  for (const view of viewsOf(text)) if (redactText(view, options).text !== view) return true;
  return false;
}

/** What the rule finds in a text, as it stands there and as it reads. */
function* valuesInText(text: string, options: RedactionOptions): Generator<string> {
  for (const { start, end } of findSecrets(text, options))
    yield* readingsOf(text.slice(start, end));
}

/** The same in data, where the key of a text tells as well what it is. */
function* valuesInData(data: unknown, options: RedactionOptions): Generator<string> {
  yield* removed(data, redactStored(data, options).value, options);
}

/** The texts that one value has and the other, which was made of it, has markers for. */
function* removed(before: unknown, after: unknown, options: RedactionOptions): Generator<string> {
  if (Object.is(before, after)) return;
  if (typeof before === 'string') {
    if (typeof after === 'string' && ONE_MARKER.test(after)) yield* readingsOf(before);
    else yield* valuesInText(before, options);
  } else if (Array.isArray(before) && Array.isArray(after)) {
    // Lines of one text: a secret may go over several of them.
    if (before.every((one) => typeof one === 'string'))
      yield* valuesInText(before.join('\n'), options);
    for (const [index, one] of before.entries()) yield* removed(one, after[index], options);
  } else if (isFields(before) && isFields(after)) {
    const made = Object.entries(after);
    const given = Object.entries(before).filter(([key]) => key !== '__proto__');
    // All of the text is beside the journal, and searched there: at the end of its head a rule may take half a word for a secret.
    const isReference = typeof before.$blob === 'string' && BLOB_NAME.test(before.$blob);
    for (const [index, [key, one]] of given.entries()) {
      if (isReference && key === 'head') continue;
      yield* valuesInText(key, options);
      yield* removed(one, made[index]?.[1], options);
    }
  }
}

const ONE_MARKER = /^\[REDACTED:[A-Z0-9-]{1,40}\]$/;

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !(value instanceof Uint8Array);

/** In a URL or in JSON it is escaped, where it stands alone it is not. */
const readingsOf = (value: string): string[] =>
  [...new Set([value, unescaped(value)])].filter((one) => one.length >= VALUE_CHARS_MIN);

function noRule(id: string, all: RedactionOptions): Ben10Error {
  const ids = ruleIds(all);
  const near = nearName(id.toUpperCase(), ids);
  const hint = near === undefined ? '' : `; the nearest is ${near}`;
  return new Ben10Error('USAGE', `there is no redaction rule of that id${hint}`, {
    next: `There are ${ids.length}, for example ${ids.slice(0, 5).join(', ')}`,
  });
}
