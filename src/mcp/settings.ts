import path from 'node:path';
import { compileRedaction, problemText } from '../capture/redaction/index.ts';
import type { Ben10Config } from '../platform/config/keys.ts';
import type { ConfigProblem } from '../platform/config/problem.ts';
import { configWarning, variableWarnings } from '../platform/config-warning.ts';
import { compiledValues, readHookConfig } from '../platform/hook-config.ts';
import type { Logger } from '../platform/logger.ts';
import { BEN10_DIR } from '../platform/storage-location.ts';

export interface Settings {
  config: Ben10Config;
  /** Problems of the configuration. */
  warnings: string[];
  /** Nothing in `.ben10` may be changed. */
  isReadOnly: boolean;
}

/** The project's settings. Mistakes do not keep the server from starting: the valid part applies, with the last compiled values. */
export async function loadSettings(
  dir: string,
  log: Logger,
  isReadOnly = false,
): Promise<Settings> {
  const root = path.join(dir, BEN10_DIR);
  const compiled = readHookConfig(root);
  if (compiled !== undefined && !compiled.stale) return settingsOf(compiled, log, isReadOnly);
  if (isReadOnly) {
    const { loadUsableConfig } = await import('../platform/config.ts');
    return settingsOf(loadUsableConfig({ projectDir: dir }, compiledValues(root)), log, true);
  }
  // Parsing YAML takes longer than the rest of the start.
  const { compileUsableSettings } = await import('../platform/compile-settings.ts');
  return settingsOf(compileUsableSettings({ projectDir: dir }), log, false);
}

function settingsOf({ config, problems }: HeldConfig, log: Logger, isReadOnly: boolean): Settings {
  const wrong = configWarning(problems);
  const warnings = [
    ...(wrong === undefined ? [] : [wrong]),
    ...variableWarnings(process.env),
    ...compileRedaction(config.redaction).problems.map(problemText),
  ];
  for (const warning of warnings) log.warn(warning);
  return { config, warnings, isReadOnly };
}

interface HeldConfig {
  config: Ben10Config;
  problems: readonly ConfigProblem[];
}
