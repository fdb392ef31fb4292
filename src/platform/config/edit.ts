import { isDeepStrictEqual } from 'node:util';
import { applyEdits, modify } from 'jsonc-parser';
import { Ben10Error } from '../errors.ts';
import { checkValue } from './check.ts';
import { setInYaml, unsetInYaml } from './edit-yaml.ts';
import type { Layer } from './environment.ts';
import type { ConfigKey } from './keys.ts';
import { ConfigError } from './problem.ts';
import { parseConfigFile } from './yaml.ts';

/**
 * The text of a configuration with one setting changed or added; comments, order and all other settings stay.
 * @param file its name, for messages; `.json` is edited as JSON
 * @throws ConfigError for a value that the setting does not take, or a file that has mistakes already
 */
export function withSetting(file: string, text: string, key: ConfigKey, value: unknown): string {
  const [first, ...others] = checkValue(key, value).map(({ message }) => ({
    path: key.name,
    message,
  }));
  if (first !== undefined) throw new ConfigError([first, ...others]);
  const before = sound(file, text).values;
  const path = key.name.split('.');
  const wanted = new Map(before).set(key.name, value);
  return firstThatSays(
    file,
    wanted,
    isJson(file) ? setInJson(text, path, value) : setInYaml(text, path, value),
  );
}

/**
 * The same without a setting: then the layers below hold. The same text when it was not there.
 * @throws ConfigError for a file that has mistakes already
 */
export function withoutSetting(file: string, text: string, key: ConfigKey): string {
  const before = sound(file, text).values;
  if (!before.has(key.name)) return text;
  const path = key.name.split('.');
  const wanted = new Map(before);
  wanted.delete(key.name);
  return firstThatSays(
    file,
    wanted,
    isJson(file) ? setInJson(text, path, undefined) : unsetInYaml(text, path),
  );
}

const isJson = (file: string): boolean => file.endsWith('.json');

/** Two spaces, as `init` writes its own. */
const FORMAT = { insertSpaces: true, tabSize: 2, eol: '\n' };

function setInJson(text: string, path: string[], value: unknown): string[] {
  const whole = text.trim() === '' ? '{}\n' : text;
  return [applyEdits(whole, modify(whole, path, value, { formattingOptions: FORMAT }))];
}

/** @throws ConfigError */
function sound(file: string, text: string): Layer {
  const layer = parseConfigFile(file, Buffer.from(text));
  const [first, ...others] = layer.problems;
  if (first !== undefined) throw new ConfigError([first, ...others]);
  return layer;
}

/** Read back before it is written: a text that says anything else than was wanted is none. */
function firstThatSays(
  file: string,
  wanted: ReadonlyMap<string, unknown>,
  texts: Iterable<string>,
): string {
  for (const text of texts) {
    const { values, problems } = parseConfigFile(file, Buffer.from(text));
    if (
      problems.length === 0 &&
      isDeepStrictEqual(new Map([...values].sort()), new Map([...wanted].sort()))
    )
      return text;
  }
  throw new Ben10Error(
    'CONFIG_INVALID',
    `${file} is written in a way that cannot be changed here`,
    {
      place: { file },
      next: 'Change the setting in an editor.',
    },
  );
}
