import { listFromText } from '../list-text.ts';
import { checkValue } from './check.ts';
import { CONFIG_KEYS, type ConfigKey, type ConfigValues, configKey } from './keys.ts';
import type { ConfigProblem } from './problem.ts';
import { usablePart } from './salvage.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Values of a file, the variables or the flags, with what was wrong in it. */
export interface Layer {
  values: ConfigValues;
  problems: ConfigProblem[];
  /** Of lists with something wrong in them, the items that can be used all the same. */
  partial?: ConfigValues;
  /** Settings that are said, but not as they may be. */
  doubtful?: readonly string[];
  /** Of a file: nothing in it can be relied on, what it does not say included. */
  isBroken?: boolean;
  /** Of a file: the 1-based line on which each setting stands. */
  lines?: ReadonlyMap<string, number>;
}

/** The `BEN10_*` variables that are settings. An empty one counts as not set; others are none of ours. */
export function environmentLayer(env: Environment): Layer {
  const layer: Layer = { values: new Map(), problems: [] };
  for (const key of CONFIG_KEYS) {
    const text = env[key.env];
    if (text !== undefined && text !== '') addTo(layer, key, fromText(key, text), key.env);
  }
  return layer;
}

/**
 * Values from the command line by setting name: typed, or as text. An undefined one is a flag that was not given.
 * @throws TypeError for a name that is no setting: a fault of the program, not of its user
 */
export function flagsLayer(flags: Readonly<Record<string, unknown>>): Layer {
  const layer: Layer = { values: new Map(), problems: [] };
  for (const [name, given] of Object.entries(flags)) {
    const key = configKey(name);
    if (key === undefined) throw new TypeError(`${name} is not a setting`);
    if (given === undefined) continue;
    addTo(layer, key, typeof given === 'string' ? fromText(key, given) : given, name);
  }
  return layer;
}

function addTo(layer: Layer, key: ConfigKey, value: unknown, path: string): void {
  const problems = checkValue(key, value);
  if (problems.length === 0) layer.values.set(key.name, value);
  // One wrong rule does not switch the others off.
  else if (key.kind === 'patterns') layer.partial = partOf(key, value);
  for (const { message } of problems) {
    layer.problems.push({ path, message: path === key.name ? message : `${path} sets ${message}` });
  }
}

function partOf(key: ConfigKey, value: unknown): ConfigValues {
  const part = usablePart(key, value);
  return new Map(part === undefined ? [] : [[key.name, part]]);
}

/** Text that does not read as its setting's type is left as it is: the check then says what was expected. */
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
