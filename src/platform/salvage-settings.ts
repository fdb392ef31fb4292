import { homedir } from 'node:os';
import { join } from 'node:path';
import { checkTree } from './config/check.ts';
import { composeConfig } from './config/compose.ts';
import { readConfigOf, userConfigDir } from './config/files.ts';
import type { ConfigValues } from './config/keys.ts';
import { parseConfigFile } from './config/yaml.ts';
import { EXCLUDED_BY_DEFAULT } from './exclude.ts';
import { writeHookConfig } from './hook-config.ts';
import { readHookConfigFile } from './hook-config-file.ts';
import { BEN10_DIR } from './storage-location.ts';

const NO_STAMPS = { user: null, userJson: null, project: null, projectJson: null };

/**
 * What keeps things private holds although the rest of a file is wrong, and the last sound settings hold for that: files that are
 * excluded and rules that hide are added, and recording that was switched off is off. Where a file cannot be read as YAML at all
 * there is nothing of it.
 * @throws Node's errors
 */
export function salvageSettings(projectDir: string, env = process.env, home = homedir()): void {
  const root = join(projectDir, BEN10_DIR);
  const known = readHookConfigFile(root);
  const sound = checkTree(known?.config);
  const base: ConfigValues = sound.problems.length === 0 ? sound.values : new Map();
  const said = [readOr(userConfigDir(env, home)), readOr(root, projectDir)];
  const excluded = [base, ...said].flatMap(
    (values) => (values.get('context.excludePatterns') ?? []) as string[],
  );
  const isAsked = said.some((values) => values.has('context.excludePatterns'));
  const isOff = said.some((values) => values.get('context.autoSave') === false);
  const safe: ConfigValues = new Map();
  if (isAsked)
    safe.set('context.excludePatterns', [...new Set([...EXCLUDED_BY_DEFAULT, ...excluded])]);
  if (isOff) safe.set('context.autoSave', false);
  const rules = said.map((values) => only(values, 'redaction.patterns'));
  const config = composeConfig([base, ...rules, safe]);
  // Together they may be more than is allowed: then what was sound before is better than nothing.
  if (checkTree(config).problems.length > 0) return;
  // With the stamps of before: the files are still to be read.
  const sources = (known?.sources ?? NO_STAMPS) as typeof NO_STAMPS;
  writeHookConfig(root, { format: 1, config, sources });
}

function readOr(folder: string, inside?: string): ConfigValues {
  try {
    const found = readConfigOf(folder, inside);
    return found === undefined ? new Map() : parseConfigFile(found.file, found.bytes).values;
  } catch {
    return new Map();
  }
}

const only = (values: ConfigValues, name: string): ConfigValues =>
  new Map([...values].filter(([key]) => key === name));
