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
import type { Finder } from './finder.ts';
import { assertFew, viewsOf } from './pattern.ts';
import type { Said } from './search-text.ts';
import { textFinder } from './text-finder.ts';

/** Shorter values are not looked for elsewhere: they occur in other words. */
const VALUE_CHARS_MIN = 8;

/** Redaction with one rule only. @throws Ben10Error USAGE with the nearest id if there is no such rule */
export function optionsOfRule(id: string, all: RedactionOptions): RedactionOptions {
  const options = onlyRule(id.toUpperCase(), all);
  if (options !== undefined) return options;
  const ids = ruleIds(all);
  const near = nearName(id.toUpperCase(), ids);
  const hint = near === undefined ? '' : `; the nearest is ${near}`;
  throw new Ben10Error('USAGE', `no redaction rule has that id${hint}`, {
    next: `There are ${ids.length}, for example ${ids.slice(0, 5).join(', ')}`,
  });
}

/** Finds what one redaction rule matches now, and in every form the values that it has found. */
export function ruleFinder(options: RedactionOptions, values: Iterable<string>): Finder {
  const known = textFinder([...values]);
  const byRule = (text: string) => redactText(text, options).text;
  const dataByRule = (data: unknown) => redactStored(data, options).value;
  return {
    // A match across two adjacent texts is no secret.
    isIn: known.isIn,
    isLike: (bytes) =>
      known.isIn(bytes) || viewsOf(bytes.toString('utf8')).some((view) => byRule(view) !== view),
    withoutIt: (text) => known.withoutIt(byRule(text)),
    isInPayload: (text) => byRule(text) !== text || known.isInPayload(text),
    dataWithoutIt: (data) => known.dataWithoutIt(dataByRule(data)),
    stateWithoutIt: (state) => known.stateWithoutIt(dataByRule(state)),
  };
}

/**
 * Matches a rule with the journal's texts. Each value is then looked for in every form.
 * @param found receives the values
 * @throws Ben10Error LIMIT_EXCEEDED for too many values
 */
export function meetRule(
  options: RedactionOptions,
  said: Iterable<Said>,
  found: Set<string>,
): void {
  for (const { texts, data } of said) {
    const heads = new Set<unknown>();
    // In JSON a text's key is a hint, too.
    const json = JSON.stringify(data, (_, value) => {
      if (value instanceof Uint8Array) return null;
      if (value?.$blob === undefined) return value;
      heads.add(value.head);
      return null;
    });
    // Blobs are searched as a whole: the cut end of a head may look like a secret.
    const whole = [...texts].filter((text) => !heads.has(text));
    for (const text of new Set([...whole.flatMap(viewsOf), json ?? ''])) {
      for (const { start, end } of findSecrets(text, options)) {
        const value = text.slice(start, end);
        for (const one of [value, unescaped(value)])
          if (one.length >= VALUE_CHARS_MIN) found.add(one);
      }
    }
    assertFew(found, 'rule');
  }
}
