import { homedir } from 'node:os';
import * as path from 'node:path';
import {
  type Environment,
  environmentLayer,
  flagsLayer,
  type Layer,
} from './config/environment.ts';
import {
  type ConfigFile,
  type ConfigSources,
  projectConfigPath,
  readConfigFile,
  userConfigPath,
} from './config/files.ts';
import { type Ben10Config, composeConfig } from './config/keys.ts';
import { ConfigError, type ConfigProblem } from './config/problem.ts';
import { parseConfigFile } from './config/yaml.ts';

export type { Environment } from './config/environment.ts';
export { type Ben10Config, CONFIG_KEYS, type RedactionPattern } from './config/keys.ts';
export { ConfigError, type ConfigProblem } from './config/problem.ts';

export interface LoadedConfig {
  /** All layers: defaults < user's file < project's file < `BEN10_*` < flags. */
  config: Ben10Config;
  /** The defaults and the two files alone: what is compiled for hooks, which have their own environment. */
  fileConfig: Ben10Config;
  sources: ConfigSources;
}

export interface LoadConfigOptions {
  /** The folder that holds `.ben10`. */
  projectDir: string;
  env?: Environment;
  home?: string;
  /** Values from the command line by setting name (`mcp.profile`). */
  flags?: Readonly<Record<string, unknown>>;
}

/**
 * The configuration that holds in a project.
 * @throws ConfigError (CONFIG_INVALID) with everything that is wrong in all layers; Ben10Error for a file that cannot
 *   be read, is too large, or is a link out of the project
 */
export function loadConfig(options: LoadConfigOptions): LoadedConfig {
  const { projectDir, env = process.env, home = homedir(), flags = {} } = options;
  const userFile = userConfigPath(env, home);
  const user = readConfigFile(userFile);
  const projectFile = projectConfigPath(path.join(projectDir, '.ben10'));
  const project = readConfigFile(projectFile, projectDir);
  const files = [parsed(userFile, user), parsed(projectFile, project)];
  const all = [...files, environmentLayer(env), flagsLayer(flags)];
  requireSound(all);
  return {
    config: composeConfig(all.map((layer) => layer.values)),
    fileConfig: composeConfig(files.map((layer) => layer.values)),
    sources: { user: user?.stamp ?? null, project: project?.stamp ?? null },
  };
}

/** Checks a project's file alone, with the errors of `loadConfig`. False when there is none. */
export function checkProjectConfig(projectDir: string): boolean {
  const file = projectConfigPath(path.join(projectDir, '.ben10'));
  const found = readConfigFile(file, projectDir);
  requireSound([parsed(file, found)]);
  return found !== undefined;
}

const parsed = (file: string, found: ConfigFile | undefined): Layer =>
  found === undefined ? { values: new Map(), problems: [] } : parseConfigFile(file, found.bytes);

function requireSound(layers: readonly Layer[]): void {
  const problems: ConfigProblem[] = layers.flatMap((layer) => layer.problems);
  const [first, ...others] = problems;
  if (first !== undefined) throw new ConfigError([first, ...others]);
}
