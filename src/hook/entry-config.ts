import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../platform/config.ts';
import { compileHookConfig, writeHookConfig } from '../platform/hook-config.ts';

/** Compiles a project's settings for hooks, which read no YAML. */
export function compileSettings(dir: string): void {
  const ben10Dir = join(dir, '.ben10');
  if (existsSync(ben10Dir))
    writeHookConfig(ben10Dir, compileHookConfig(loadConfig({ projectDir: dir })));
}
