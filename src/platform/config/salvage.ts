import { checkGlobs, checkPatterns, checkTexts, PATTERNS_MAX } from './check-lists.ts';
import { composeConfig } from './compose.ts';
import type { Layer } from './environment.ts';
import { type Ben10Config, CONFIG_KEYS, type ConfigKey, type ConfigValues } from './keys.ts';
import { isRecord } from './value.ts';

/**
 * The settings in force while a file has mistakes. Recording must go on, without what the user excluded: readable redaction
 * rules and excluded files are added to the last known ones. Other valid settings apply; invalid and unreadable ones keep their
 * last value.
 * @param layers lowest first
 */
export function salvagedConfig(
  layers: readonly Layer[],
  last: ConfigValues = new Map(),
): Ben10Config {
  const read = layers.map(({ values, partial }) => new Map([...values, ...(partial ?? [])]));
  const doubtful = new Set(layers.flatMap((layer) => layer.doubtful ?? []));
  const isBroken = layers.some((layer) => layer.isBroken);
  const kept: ConfigValues = new Map();
  for (const key of CONFIG_KEYS) {
    if (key.kind === 'globs') kept.set(key.name, everyGlob(key, read, last));
    else if (key.kind === 'patterns' || key.kind === 'texts' || !last.has(key.name)) continue;
    else if (isBroken || doubtful.has(key.name)) kept.set(key.name, last.get(key.name));
  }
  return composeConfig([last, ...read, kept]);
}

/** The excluded files of all layers. */
function everyGlob(key: ConfigKey, read: readonly ConfigValues[], last: ConfigValues): string[] {
  const lists = [last.get(key.name) ?? key.default, ...read.map((layer) => layer.get(key.name))];
  return [...new Set(lists.flatMap((list) => (list as string[] | undefined) ?? []))];
}

/** The valid items of a list; undefined for what is no list. */
export function usablePart({ kind }: ConfigKey, value: unknown): unknown[] | undefined {
  if (!Array.isArray(value)) return undefined;
  if (kind === 'globs') return value.filter((item) => checkGlobs('', [item]).length === 0);
  if (kind === 'texts') return value.filter((item) => checkTexts('', [item]).length === 0);
  return kind === 'patterns' ? usablePatterns(value) : undefined;
}

/** A rule with an invalid id or flags still applies, as `OWN-1`. */
function usablePatterns(list: readonly unknown[]): unknown[] {
  const usable: { id: string; pattern: unknown }[] = [];
  for (const [index, item] of list.slice(0, PATTERNS_MAX).entries()) {
    if (!isRecord(item)) continue;
    const { id, pattern, flags = '' } = item;
    const own = `OWN-${index + 1}`;
    const names = usable.some((rule) => rule.id === id) ? [own] : [id, own];
    const rule = names
      .flatMap((name) => [
        { id: name, pattern, flags },
        { id: name, pattern },
      ])
      .find((one) => checkPatterns('', [one]).length === 0);
    if (rule !== undefined) usable.push(rule as { id: string; pattern: unknown });
  }
  return usable;
}
