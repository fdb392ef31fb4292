import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Ben10Config } from '../platform/config/keys.ts';
import { configWarning } from '../platform/config-warning.ts';
import {
  compileHookConfig,
  hookConfigOrDefault,
  readHookConfig,
  writeHookConfig,
} from '../platform/hook-config.ts';
import type { Logger } from '../platform/logger.ts';
import { prepareStorage } from '../platform/storage.ts';
import { BEN10_DIR } from '../platform/storage-location.ts';

export interface Settings {
  config: Ben10Config;
  /** What is wrong with the configuration, for people. */
  warnings: string[];
}

/**
 * The project's settings. They never keep the server from starting: where the files are wrong, what was compiled
 * from them last holds, or else the defaults.
 */
export async function loadSettings(dir: string, log: Logger): Promise<Settings> {
  const root = path.join(dir, BEN10_DIR);
  const compiled = readHookConfig(root);
  if (compiled !== undefined && !compiled.stale) return { config: compiled.config, warnings: [] };
  try {
    // Parsing YAML costs more than the rest of the start; mostly the compiled form is there and fresh.
    const { loadConfig } = await import('../platform/config.ts');
    const loaded = loadConfig({ projectDir: dir });
    compile(root, loaded, log);
    return { config: loaded.config, warnings: [] };
  } catch (error) {
    const warning = configWarning(error, compiled !== undefined);
    log.warn(warning);
    await salvage(dir, log);
    return { config: hookConfigOrDefault(root), warnings: [warning] };
  }
}

/** What keeps things private holds all the same. */
async function salvage(dir: string, log: Logger): Promise<void> {
  if (!existsSync(path.join(dir, BEN10_DIR))) return;
  try {
    const { salvageSettings } = await import('../platform/salvage-settings.ts');
    salvageSettings(dir);
  } catch (error) {
    log.debug(`hook-config.json was not written: ${(error as Error).message}`);
  }
}

/** For hooks, which read no YAML. Where it cannot be written they go on with what they have. */
function compile(root: string, loaded: Parameters<typeof compileHookConfig>[0], log: Logger): void {
  if (!existsSync(root)) return; // nothing was recorded here yet, and asking does not change that
  try {
    prepareStorage(path.dirname(root), loaded.fileConfig.context.storageLocation);
    writeHookConfig(root, compileHookConfig(loaded));
  } catch (error) {
    log.debug(`hook-config.json was not written: ${(error as Error).message}`);
  }
}
