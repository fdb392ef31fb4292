import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type LoadConfigOptions, type LoadedConfig, loadConfig } from './config.ts';
import { compileHookConfig, writeHookConfig } from './hook-config.ts';
import { prepareStorage } from './storage.ts';
import { BEN10_DIR } from './storage-location.ts';

/**
 * Compiles a project's settings for hooks, which read no YAML. Does nothing where there is no `.ben10`.
 * @throws as `loadConfig`; Node's errors
 */
export function compileSettings(options: LoadConfigOptions): LoadedConfig {
  const loaded = loadConfig(options);
  const ben10Dir = join(options.projectDir, BEN10_DIR);
  if (!existsSync(ben10Dir)) return loaded;
  // First: what is compiled says where everybody writes from now on.
  prepareStorage(options.projectDir, loaded.fileConfig.context.storageLocation);
  writeHookConfig(ben10Dir, compileHookConfig(loaded));
  return loaded;
}
