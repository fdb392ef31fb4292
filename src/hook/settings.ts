import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { configPair, userConfigDir } from '../platform/config/files.ts';
import type { UsableConfig } from '../platform/config.ts';
import {
  type CallSettings,
  callSettings,
  readHookConfigFile,
} from '../platform/hook-config-file.ts';
import { BEN10_DIR } from '../platform/storage-location.ts';

/** What `os.homedir` looks at first: that module is not loaded for a tool call. */
const home = (): string =>
  (process.platform === 'win32' ? process.env.USERPROFILE : process.env.HOME) ?? '';

/** Whether there is a file of settings, of the project or the user. */
export function isConfigured(dir: string): boolean {
  const pairs = [join(dir, BEN10_DIR), userConfigDir(process.env, home())].map(configPair);
  return pairs.some(({ yaml, json }) => existsSync(yaml) || existsSync(json));
}

/** The settings read anew and compiled, with the YAML parser that only this needs. */
export function recompiled(dir: string): UsableConfig {
  const { compileSettings } = require('./hook-config.cjs') as typeof import('./entry-config.ts');
  return compileSettings(dir);
}

/** What a tool call has to know: as it was compiled last, or read anew where nothing usable was. */
export function settingsOfCall(dir: string): CallSettings {
  const compiled = readHookConfigFile(join(dir, BEN10_DIR))?.config;
  const isMissing = compiled === undefined && isConfigured(dir);
  return callSettings(isMissing ? recompiled(dir).fileConfig : compiled);
}
