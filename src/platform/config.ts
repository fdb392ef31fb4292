import * as path from 'node:path';
import { checkTree } from './config/check.ts';
import { composeConfig, levelProblems } from './config/compose.ts';
import { type Environment, environmentLayer, type Layer } from './config/environment.ts';
import {
  type ConfigFile,
  type ConfigSources,
  readConfigOf,
  userConfigDir,
} from './config/files.ts';
import type { Ben10Config, ConfigValues } from './config/keys.ts';
import { type LayerOf, type Origin, originsOf } from './config/origin.ts';
import { ConfigError, type ConfigProblem } from './config/problem.ts';
import { salvagedConfig } from './config/salvage.ts';
import { parseConfigFile } from './config/yaml.ts';
import type { Ben10Error } from './errors.ts';
import { homeOrTop } from './home.ts';
import { BEN10_DIR } from './storage-location.ts';

export type { Environment } from './config/environment.ts';
export { type Ben10Config, CONFIG_KEYS, type RedactionPattern } from './config/keys.ts';
export type { Origin } from './config/origin.ts';
export { ConfigError, type ConfigProblem } from './config/problem.ts';

export interface LoadedConfig {
  /** All layers: defaults < user's file < project's file < `BEN10_*`. */
  config: Ben10Config;
  /** Without the variables: compiled for hooks, which have their own environment. */
  fileConfig: Ben10Config;
  sources: ConfigSources;
  /** Where a setting's value comes from; for rules and allowed texts each place, lowest first. */
  originsOf(name: string): Origin[];
}

export interface LoadConfigOptions {
  /** The folder that holds `.ben10`. */
  projectDir: string;
  env?: Environment;
  home?: string;
  /** A file as it would be after a change. */
  instead?: Pick<ConfigFile, 'file' | 'bytes'>;
}

/**
 * The configuration of a project.
 * @throws ConfigError (CONFIG_INVALID) with the problems of all layers; Ben10Error for a file that cannot be read, is too
 *   large, or is a link out of the project
 */
export function loadConfig(options: LoadConfigOptions): LoadedConfig {
  const { projectDir, env = process.env, home = homeOrTop(), instead } = options;
  const user = readConfigOf(userConfigDir(env, home));
  const project = readConfigOf(path.join(projectDir, BEN10_DIR), projectDir);
  const now = (found: ConfigFile | undefined, folder: string) =>
    parsed(instead && path.dirname(instead.file) === folder ? instead : found);
  const files = [
    now(user, userConfigDir(env, home)),
    now(project, path.join(projectDir, BEN10_DIR)),
  ];
  const variables = environmentLayer(env);
  const all = [...files, variables];
  const layers: LayerOf[] = [
    { kind: 'user', file: user?.file, layer: files[0]! },
    { kind: 'project', file: project?.file, layer: files[1]! },
    { kind: 'variable', layer: variables },
  ];
  requireSound(all, levelProblems(layers));
  return {
    config: composeConfig(all.map((layer) => layer.values)),
    fileConfig: composeConfig(files.map((layer) => layer.values)),
    sources: sourcesOf(user, project),
    originsOf: (name) => originsOf(name, layers),
  };
}

/** Settings for processes that must go on although a file has a mistake. */
export interface UsableConfig extends Pick<LoadedConfig, 'config' | 'fileConfig' | 'sources'> {
  /** The problems of the files. */
  problems: ConfigProblem[];
}

/**
 * The usable part of the configuration, see `salvagedConfig`. Wrong variables are left out. Never throws for a file.
 * @param last the settings in force before, if known
 */
export function loadUsableConfig(
  { projectDir, env = process.env, home = homeOrTop() }: LoadConfigOptions,
  last?: ConfigValues,
): UsableConfig {
  const user = parsedIfReadable(() => readConfigOf(userConfigDir(env, home)));
  const project = parsedIfReadable(() =>
    readConfigOf(path.join(projectDir, BEN10_DIR), projectDir),
  );
  const files = [user.layer, project.layer];
  const variables = environmentLayer(env);
  const together = [user, project].map(({ found, layer }) => ({ file: found?.file, layer }));
  const problems = [...files.flatMap((layer) => layer.problems), ...levelProblems(together)];
  const values = files.map((layer) => layer.values);
  const fileConfig = problems.length === 0 ? composeConfig(values) : salvagedConfig(files, last);
  const below = checkTree(fileConfig).values;
  return {
    config: composeConfig([below, variables.values, variables.partial ?? new Map()]),
    fileConfig,
    sources: sourcesOf(user.found, project.found),
    problems,
  };
}

function parsedIfReadable(read: () => ConfigFile | undefined): {
  found?: ConfigFile | undefined;
  layer: Layer;
} {
  try {
    const found = read();
    return { found, layer: parsed(found) };
  } catch (error) {
    const { message, place } = error as Partial<Ben10Error>;
    const file = place?.file;
    const problem = { path: '', message: String(message), ...(file !== undefined && { file }) };
    return { layer: { values: new Map(), problems: [problem], isBroken: true } };
  }
}

/** Checks a project's file alone, with the errors of `loadConfig`. */
export function checkProjectConfig(projectDir: string): void {
  const found = readConfigOf(path.join(projectDir, BEN10_DIR), projectDir);
  requireSound([parsed(found)]);
}

const parsed = (found: Pick<ConfigFile, 'file' | 'bytes'> | undefined): Layer =>
  found === undefined
    ? { values: new Map(), problems: [] }
    : parseConfigFile(found.file, found.bytes);

const sourcesOf = (
  user: ConfigFile | undefined,
  project: ConfigFile | undefined,
): ConfigSources => ({
  user: stampOf(user, 'yaml'),
  userJson: stampOf(user, 'json'),
  project: stampOf(project, 'yaml'),
  projectJson: stampOf(project, 'json'),
});

const stampOf = (found: ConfigFile | undefined, name: 'yaml' | 'json') =>
  found?.file.endsWith(`.${name}`) ? found.stamp : null;

function requireSound(layers: readonly Layer[], more: readonly ConfigProblem[] = []): void {
  const problems = [...layers.flatMap((layer) => layer.problems), ...more];
  const [first, ...others] = problems;
  if (first !== undefined) throw new ConfigError([first, ...others]);
}
