import { checkGlobs, checkPatterns, checkTexts, PATTERNS_MAX } from './check-lists.ts';
import { composeConfig } from './compose.ts';
import type { Layer } from './environment.ts';
import { type Ben10Config, CONFIG_KEYS, type ConfigKey, type ConfigValues } from './keys.ts';
import { isRecord } from './value.ts';

/**
 * What holds while something in the files is wrong. Whoever records must go on, and must not record what the user has said is
 * not to be: what can be read of the rules is added to those that held last, and so are the files that are left out. Of all else what
 * is sound holds, and what is not said, or not as it may be, stays as it was.
 * @param layers lowest first
 * @param last the settings that held before, if any are known
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

/** What any of them leaves out; more of them than a file may have are none too many. */
function everyGlob(key: ConfigKey, read: readonly ConfigValues[], last: ConfigValues): string[] {
  const lists = [last.get(key.name) ?? key.default, ...read.map((layer) => layer.get(key.name))];
  return [...new Set(lists.flatMap((list) => (list as string[] | undefined) ?? []))];
}

/** Of a list with something wrong in it the items that can be used all the same; undefined for what is no list. */
export function usablePart({ kind }: ConfigKey, value: unknown): unknown[] | undefined {
  if (!Array.isArray(value)) return undefined;
  if (kind === 'globs') return value.filter((item) => checkGlobs('', [item]).length === 0);
  if (kind === 'texts') return value.filter((item) => checkTexts('', [item]).length === 0);
  return kind === 'patterns' ? usablePatterns(value) : undefined;
}

/** A rule whose name or flags are wrong hides something all the same, under a name of its own. */
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
