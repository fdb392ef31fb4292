import {
  type Ben10Config,
  CONFIG_KEYS,
  type ConfigKey,
  type ConfigValues,
  type RedactionPattern,
} from './keys.ts';

/** Defaults and checked layers, lowest first. Rules and allowed texts add up; other values are replaced. */
export function composeConfig(layers: readonly ConfigValues[]): Ben10Config {
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
