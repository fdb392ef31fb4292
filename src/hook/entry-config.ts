import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { compileSettings as compile } from '../platform/compile-settings.ts';
import { BEN10_DIR } from '../platform/storage-location.ts';

/** Compiles a project's settings for hooks, which read no YAML. */
export function compileSettings(projectDir: string): void {
  if (existsSync(join(projectDir, BEN10_DIR))) compile({ projectDir });
}
