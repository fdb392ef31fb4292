import path from 'node:path';
import { nearestName } from '../platform/config/nearest.ts';
import { CONFIG_KEYS, ConfigError, type Environment, loadConfig } from '../platform/config.ts';
import { type Finding, fail, ok, warn } from '../platform/finding.ts';
import { readHookConfig } from '../platform/hook-config.ts';
import { BEN10_DIR } from '../platform/storage-location.ts';

/** Whether ben10's own configuration can be read, and hooks have it as it is now. */
export function checkSettings(projectDir: string, env: Environment, home: string): Finding[] {
  try {
    const { config } = loadConfig({ projectDir, env, home });
    return [
      ok('configuration', 'it can be read'),
      compiled(projectDir, env, home),
      ...checkEnvironment(env),
      ...(config.context.autoSave
        ? []
        : [
            warn('configuration', 'context.autoSave is off: nothing is recorded', 'Set it to true'),
          ]),
    ];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ file, line, column, message }) => {
      const place = [file, line, column].filter((part) => part !== undefined).join(':');
      return fail('configuration', place === '' ? message : `${place}: ${message}`, 'Correct it');
    });
  }
}

/** Variables of ben10's that are no settings. */
const OTHER_VARIABLES = ['BEN10_DEBUG'];

/** A variable with a typing error in its name is a setting that does not hold. */
function checkEnvironment(env: Environment): Finding[] {
  const known = [...CONFIG_KEYS.map((key) => key.env), ...OTHER_VARIABLES];
  return Object.keys(env)
    .filter((name) => name.startsWith('BEN10_') && !known.includes(name))
    .map((name) => {
      const shown = name.slice(0, VARIABLE_CHARS_MAX);
      const mend = `Unset it, or name it as it was meant: ${nearestName(shown, known)} is the nearest`;
      return warn('environment', `${shown} is no setting of ben10, and does nothing`, mend);
    });
}

/** Names of variables are shown up to this length. */
const VARIABLE_CHARS_MAX = 80;

function compiled(projectDir: string, env: Environment, home: string): Finding {
  const found = readHookConfig(path.join(projectDir, BEN10_DIR), env, home);
  if (found !== undefined && !found.stale)
    return ok('hook settings', 'hooks have the configuration');
  const what =
    found === undefined
      ? 'hooks have no compiled configuration, and use the defaults'
      : 'the configuration was changed, and hooks still have the one before';
  return warn('hook settings', what, 'The next turn renews it by itself, or run: ben10 init');
}
