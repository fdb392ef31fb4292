import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { compileSettings as compile } from '../platform/compile-settings.ts';
import { configWarning } from '../platform/config-warning.ts';
import { readHookConfigFile } from '../platform/hook-config-file.ts';
import { salvageSettings } from '../platform/salvage-settings.ts';
import { BEN10_DIR } from '../platform/storage-location.ts';

/**
 * Compiles a project's settings for hooks, which read no YAML.
 * @returns what is wrong with them, for people; undefined where nothing is
 */
export function compileSettings(projectDir: string): string | undefined {
  const root = join(projectDir, BEN10_DIR);
  if (!existsSync(root)) return undefined;
  try {
    compile({ projectDir });
    return undefined;
  } catch (error) {
    const isLastSound = readHookConfigFile(root) !== undefined;
    salvageSettings(projectDir);
    return configWarning(error, isLastSound);
  }
}
