import path from 'node:path';
import { nearestName } from '../platform/config/nearest.ts';
import { CONFIG_KEYS, ConfigError, type Environment, loadConfig } from '../platform/config.ts';
import { type Finding, fail, ok, warn } from '../platform/finding.ts';
import { readHookConfig } from '../platform/hook-config.ts';
import { BEN10_DIR } from '../platform/storage-location.ts';

/** Whether the configuration is valid, and compiled for hooks. */
export function checkSettings(projectDir: string, env: Environment, home: string): Finding[] {
  try {
    const { config } = loadConfig({ projectDir, env, home });
    return [
      ok('configuration', 'valid'),
      compiled(projectDir, env, home),
      ...checkEnvironment(env),
      ...(config.context.autoSave ? [] : [OFF]),
    ];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ file, line, column, message }) => {
      const place = [file, line, column].filter((part) => part !== undefined).join(':');
      return fail('configuration', place === '' ? message : `${place}: ${message}`, 'Correct it');
    });
  }
}

const OFF = warn(
  'configuration',
  'context.autoSave is off: nothing is recorded',
  'Run: ben10 config set context.autoSave true',
);

/** Variables of ben10 that are not settings. */
const OTHER_VARIABLES = ['BEN10_DEBUG'];

function checkEnvironment(env: Environment): Finding[] {
  const known = [...CONFIG_KEYS.map((key) => key.env), ...OTHER_VARIABLES];
  return Object.keys(env)
    .filter((name) => name.startsWith('BEN10_') && !known.includes(name))
    .map((name) => {
      const shown = name.slice(0, VARIABLE_CHARS_MAX);
      const mend = `Unset it, or correct its name: did you mean ${nearestName(shown, known)}?`;
      return warn('environment', `${shown} is not a setting of ben10`, mend);
    });
}

const VARIABLE_CHARS_MAX = 80;

function compiled(projectDir: string, env: Environment, home: string): Finding {
  const found = readHookConfig(path.join(projectDir, BEN10_DIR), env, home);
  if (found !== undefined && !found.stale)
    return ok('hook settings', 'hooks use the current configuration');
  const what =
    found === undefined
      ? 'there is no compiled configuration: hooks use the defaults'
      : 'the configuration was changed, but hooks still use the previous one';
  return warn(
    'hook settings',
    what,
    'The next turn updates it automatically; to do it now, run: ben10 init',
  );
}
