import path from 'node:path';
import { configWarning, variableWarnings } from '../platform/config-warning.ts';
import { compiledValues, readHookConfig } from '../platform/hook-config.ts';
import { BEN10_DIR } from '../platform/storage-location.ts';
import type { Project } from '../project/open.ts';
import type { ContextStatus } from '../status/status.ts';
import type { Ben10Context } from './context.ts';

/** Problems of the settings. The parser is only loaded if the compiled settings are stale. */
export async function settingsWarnings(
  { dir }: Project,
  env: Ben10Context['env'],
): Promise<string[]> {
  const root = path.join(dir, BEN10_DIR);
  const compiled = readHookConfig(root, env);
  const { config, problems } =
    compiled?.stale === false ? compiled : await readAnew(dir, root, env);
  const wrong = configWarning(problems);
  const warnings = [...(wrong === undefined ? [] : [wrong]), ...variableWarnings(env)];
  if (config.context.autoSave === false)
    warnings.push('context.autoSave is off: nothing is recorded until it is set to true');
  const { patterns, allow } = config.redaction;
  if (patterns.length + allow.length > 0) {
    const { compileRedaction, problemText } = await import('../capture/redaction/index.ts');
    warnings.push(...compileRedaction(config.redaction).problems.map(problemText));
  }
  return warnings;
}

async function readAnew(dir: string, root: string, env: Ben10Context['env']) {
  const { loadUsableConfig } = await import('../platform/config.ts');
  return loadUsableConfig({ projectDir: dir, env }, compiledValues(root));
}

export const withSettings = (found: ContextStatus, more: readonly string[]): ContextStatus => ({
  ...found,
  health: found.health === 'good' && more.length > 0 ? 'warning' : found.health,
  warnings: [...found.warnings, ...more],
});
