import type { Layer } from './environment.ts';
import {
  type Ben10Config,
  CONFIG_KEYS,
  type ConfigKey,
  type ConfigValues,
  configKey,
  type RedactionPattern,
} from './keys.ts';
import type { ConfigProblem } from './problem.ts';

/**
 * Defaults and checked layers, lowest first. Rules and allowed texts add up; other values are replaced. Levels of the monitor that do not
 * increase are left out.
 */
export function composeConfig(layers: readonly ConfigValues[]): Ben10Config {
  if (!levelsIncrease(layers)) return composeConfig(layers.map(withoutLevels));
  const config: Record<string, unknown> = {};
  for (const key of CONFIG_KEYS) {
    const path = key.name.split('.');
    const name = path.pop()!;
    let fields = config;
    for (const section of path) {
      fields[section] ??= {};
      fields = fields[section] as Record<string, unknown>;
    }
    fields[name] = composed(key, layers);
  }
  return config as unknown as Ben10Config;
}

const LEVELS = ['monitor.levels.l1', 'monitor.levels.l2', 'monitor.levels.l3'] as const;

const levelsIn = (layers: readonly ConfigValues[]): number[] =>
  LEVELS.map((name) => Number(composed(configKey(name)!, layers)));

const levelsIncrease = (layers: readonly ConfigValues[]): boolean =>
  levelsIn(layers).every((level, index, all) => index === 0 || level > all[index - 1]!);

const withoutLevels = (layer: ConfigValues): ConfigValues =>
  new Map([...layer].filter(([name]) => !LEVELS.some((level) => level === name)));

/** Each level is right alone, and yet they may be wrong together. */
export function levelProblems(layers: readonly FoundLayer[]): ConfigProblem[] {
  const values = layers.map(({ layer }) => layer.values);
  if (levelsIncrease(values)) return [];
  const [l1, l2, l3] = levelsIn(values);
  const message = `monitor.levels: expected l1 below l2 below l3, found ${l1}, ${l2} and ${l3}`;
  const set = layers.findLast(({ layer }) => LEVELS.some((name) => layer.values.has(name)));
  const line = set && LEVELS.flatMap((name) => set.layer.lines?.get(name) ?? [])[0];
  const place = { ...(set?.file && { file: set.file }), ...(line && { line }) };
  return [{ path: 'monitor.levels', message, ...place }];
}

/** A layer, and the file that it was read from. */
interface FoundLayer {
  layer: Layer;
  file?: string | undefined;
}

function composed(key: ConfigKey, layers: readonly ConfigValues[]): unknown {
  const given = layers.filter((layer) => layer.has(key.name)).map((layer) => layer.get(key.name));
  if (key.kind === 'patterns') return addPatterns(given as RedactionPattern[][]);
  if (key.kind === 'texts') return [...new Set((given as string[][]).flat())];
  const value = given.length === 0 ? key.default : given.at(-1);
  if (key.kind === 'choices') return [value].flat();
  return Array.isArray(value) ? [...value] : value;
}

/** A project must not switch off the user's rules: only a rule with the same id is replaced. */
function addPatterns(lists: RedactionPattern[][]): RedactionPattern[] {
  const byId = new Map<string, RedactionPattern>();
  for (const pattern of lists.flat()) byId.set(pattern.id, pattern);
  return [...byId.values()];
}
