import { listFromText } from '../list-text.ts';
import { checkValue } from './check.ts';
import { CONFIG_KEYS, type ConfigKey, type ConfigValues } from './keys.ts';
import type { ConfigProblem } from './problem.ts';
import { usablePart } from './salvage.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The values of one file, or of the variables, and their problems. */
export interface Layer {
  values: ConfigValues;
  problems: ConfigProblem[];
  /** The usable items of lists that have a problem. */
  partial?: ConfigValues;
  /** Settings whose value has a problem. */
  doubtful?: readonly string[];
  /** The file could not be parsed: a setting that is absent may only be unreadable. */
  isBroken?: boolean;
  /** The 1-based line of each setting in the file. */
  lines?: ReadonlyMap<string, number>;
}

/** The `BEN10_*` variables that are settings. An empty one counts as not set. */
export function environmentLayer(env: Environment): Layer {
  const layer: Layer = { values: new Map(), problems: [] };
  for (const key of CONFIG_KEYS) {
    const text = env[key.env];
    if (text === undefined || text === '') continue;
    const value = fromText(key, text);
    const problems = checkValue(key, value);
    if (problems.length === 0) layer.values.set(key.name, value);
    // One wrong rule does not switch the others off.
    else if (key.kind === 'patterns') layer.partial = partOf(key, value);
    for (const { message } of problems)
      layer.problems.push({ path: key.env, message: `${key.env} sets ${message}` });
  }
  return layer;
}

function partOf(key: ConfigKey, value: unknown): ConfigValues {
  const part = usablePart(key, value);
  return new Map(part === undefined ? [] : [[key.name, part]]);
}

/** Text that does not parse stays text: the check then says what was expected. */
export function fromText(key: ConfigKey, text: string): unknown {
  if (isList(key)) return listFromText(text);
  if (key.kind === 'boolean') {
    if (text === 'true' || text === '1') return true;
    if (text === 'false' || text === '0') return false;
  }
  if (key.kind === 'integer' && /^-?\d+$/.test(text)) return Number(text);
  return text;
}

export const isList = ({ kind }: ConfigKey): boolean =>
  kind === 'choices' || kind === 'globs' || kind === 'patterns' || kind === 'texts';
