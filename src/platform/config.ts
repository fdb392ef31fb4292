import { homedir } from 'node:os';
import * as path from 'node:path';
import { composeConfig } from './config/compose.ts';
import {
  type Environment,
  environmentLayer,
  flagsLayer,
  type Layer,
} from './config/environment.ts';
import {
  type ConfigFile,
  type ConfigSources,
  readConfigOf,
  userConfigDir,
} from './config/files.ts';
import type { Ben10Config } from './config/keys.ts';
import { type LayerOf, type Origin, originsOf } from './config/origin.ts';
import { ConfigError, type ConfigProblem } from './config/problem.ts';
import { parseConfigFile } from './config/yaml.ts';
import { BEN10_DIR } from './storage-location.ts';

export type { Environment } from './config/environment.ts';
export { type Ben10Config, CONFIG_KEYS, type RedactionPattern } from './config/keys.ts';
export type { Origin } from './config/origin.ts';
export { ConfigError, type ConfigProblem } from './config/problem.ts';

export interface LoadedConfig {
  /** All layers: defaults < user's file < project's file < `BEN10_*` < flags. */
  config: Ben10Config;
  /** The defaults and the two files alone: what is compiled for hooks, which have their own environment. */
  fileConfig: Ben10Config;
  sources: ConfigSources;
  /** Where a setting's value comes from; of a list that adds up, each place, lowest first. */
  originsOf(name: string): Origin[];
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
  const user = readConfigOf(userConfigDir(env, home));
  const project = readConfigOf(path.join(projectDir, BEN10_DIR), projectDir);
  const files = [parsed(user), parsed(project)];
  const variables = environmentLayer(env);
  const given = flagsLayer(flags);
  const all = [...files, variables, given];
  requireSound(all);
  const layers: LayerOf[] = [
    { kind: 'user', file: user?.file, layer: files[0]! },
    { kind: 'project', file: project?.file, layer: files[1]! },
    { kind: 'variable', layer: variables },
    { kind: 'flag', layer: given },
  ];
  return {
    config: composeConfig(all.map((layer) => layer.values)),
    fileConfig: composeConfig(files.map((layer) => layer.values)),
    sources: {
      user: stampOf(user, 'yaml'),
      userJson: stampOf(user, 'json'),
      project: stampOf(project, 'yaml'),
      projectJson: stampOf(project, 'json'),
    },
    originsOf: (name) => originsOf(name, layers),
  };
}

/** Checks a project's file alone, with the errors of `loadConfig`. False when there is none. */
export function checkProjectConfig(projectDir: string): boolean {
  const found = readConfigOf(path.join(projectDir, BEN10_DIR), projectDir);
  requireSound([parsed(found)]);
  return found !== undefined;
}

const parsed = (found: ConfigFile | undefined): Layer =>
  found === undefined
    ? { values: new Map(), problems: [] }
    : parseConfigFile(found.file, found.bytes);

const stampOf = (found: ConfigFile | undefined, name: 'yaml' | 'json') =>
  found?.file.endsWith(`.${name}`) ? found.stamp : null;

function requireSound(layers: readonly Layer[]): void {
  const problems: ConfigProblem[] = layers.flatMap((layer) => layer.problems);
  const [first, ...others] = problems;
  if (first !== undefined) throw new ConfigError([first, ...others]);
}
