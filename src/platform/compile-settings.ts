import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  type LoadConfigOptions,
  type LoadedConfig,
  loadConfig,
  loadUsableConfig,
  type UsableConfig,
} from './config.ts';
import { earlierPlaces } from './earlier-places.ts';
import { compiledValues, compileHookConfig, writeHookConfig } from './hook-config.ts';
import { hookConfigPath, readHookConfigFile } from './hook-config-file.ts';
import { changedAt, type Pause, pausesIn, pausesNow } from './pauses.ts';
import { prepareStorage } from './storage.ts';
import { BEN10_DIR } from './storage-location.ts';

/** Compiles a project's settings for hooks, which read no YAML. @throws as `loadConfig`; Node's errors */
export function compileSettings(options: LoadConfigOptions): LoadedConfig {
  const loaded = loadConfig(options);
  compile(options.projectDir, loaded);
  return loaded;
}

/** The same for processes that must go on although a file has a mistake, or the result cannot be written. */
export function compileUsableSettings(options: LoadConfigOptions): UsableConfig {
  const last = compiledValues(join(options.projectDir, BEN10_DIR));
  const usable = loadUsableConfig(options, last);
  try {
    compile(options.projectDir, usable);
  } catch {
    // The next one tries again.
  }
  return usable;
}

function compile(projectDir: string, loaded: Parameters<typeof compileHookConfig>[0]): void {
  const ben10Dir = join(projectDir, BEN10_DIR);
  if (!existsSync(ben10Dir)) return; // nothing was recorded here yet
  // First: once compiled, the settings direct all writers there.
  const { storageLocation } = loaded.fileConfig.context;
  prepareStorage(projectDir, storageLocation);
  const places = earlierPlaces(projectDir, storageLocation);
  writeHookConfig(ben10Dir, compileHookConfig(loaded, pausesOf(ben10Dir, loaded), places));
}

function pausesOf(
  ben10Dir: string,
  { fileConfig, sources }: Parameters<typeof compileHookConfig>[0],
): Pause[] {
  const compiled = statSync(hookConfigPath(ben10Dir), { throwIfNoEntry: false });
  const before = pausesIn(readHookConfigFile(ben10Dir));
  const at = changedAt(sources, compiled?.mtimeMs ?? 0, Date.now());
  return pausesNow(before, fileConfig.context.autoSave, at);
}
