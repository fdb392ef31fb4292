import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { configPair, userConfigDir } from '../platform/config/files.ts';
import type { UsableConfig } from '../platform/config.ts';
import {
  type CallSettings,
  callSettings,
  readHookConfigFile,
} from '../platform/hook-config-file.ts';
import { homeFolder } from '../platform/project-folder.ts';
import { BEN10_DIR } from '../platform/storage-location.ts';

/** Whether the project or the user has a settings file. */
export function isConfigured(dir: string): boolean {
  const pairs = [join(dir, BEN10_DIR), userConfigDir(process.env, homeFolder())].map(configPair);
  return pairs.some(({ yaml, json }) => existsSync(yaml) || existsSync(json));
}

/** Reads and compiles the settings: the YAML parser is in the slow bundle. */
export function recompiled(dir: string): UsableConfig {
  const { compileSettings } = require('./hook-slow.cjs') as typeof import('./entry-slow.ts');
  return compileSettings(dir);
}

/** The settings for a tool call: as last compiled, or read again if those are not usable. */
export function settingsOfCall(dir: string): CallSettings {
  const compiled = readHookConfigFile(`${dir}/${BEN10_DIR}`)?.config;
  const isMissing = compiled === undefined && isConfigured(dir);
  return callSettings(isMissing ? recompiled(dir).fileConfig : compiled);
}
