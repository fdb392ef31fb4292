import { compileUsableSettings } from '../platform/compile-settings.ts';
import type { UsableConfig } from '../platform/config.ts';

/** Compiles a project's settings for hooks, which read no YAML; what can be used of them holds at once. */
export const compileSettings = (projectDir: string): UsableConfig =>
  compileUsableSettings({ projectDir });
