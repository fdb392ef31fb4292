import { checkTree } from './config/check.ts';
import { composeConfig } from './config/compose.ts';
import { type Environment, environmentLayer } from './config/environment.ts';
import {
  type ConfigSources,
  configPair,
  type FileStamp,
  isUnchanged,
  userConfigDir,
} from './config/files.ts';
import type { Ben10Config, ConfigValues } from './config/keys.ts';
import type { ConfigProblem } from './config/problem.ts';
import { isRecord } from './config/value.ts';
import { ensureDir, writeFileAtomic } from './files.ts';
import { nodeFs } from './fs.ts';
import { homeOrTop } from './home.ts';
import { HOOK_CONFIG_FORMAT, hookConfigPath, readHookConfigFile } from './hook-config-file.ts';
import type { Pause } from './pauses.ts';
import { type Random, randomHex, systemRandom } from './random.ts';

/** The plain JSON of `.ben10/hook-config.json`. */
export interface HookConfigFile {
  format: typeof HOOK_CONFIG_FORMAT;
  config: Ben10Config;
  sources: ConfigSources;
  /** What was wrong in the files: `config` is what can be used of them. */
  problems?: readonly ConfigProblem[];
  /** What a transcript tells of these times is not brought in by itself. */
  pauses?: readonly Pause[];
  /** Other folders that still have a journal: see `earlierPlaces`. */
  places?: readonly string[];
}

/** What hooks read instead of YAML: the files' values, and the stamps that tell when they changed. */
export function compileHookConfig(
  loaded: {
    fileConfig: Ben10Config;
    sources: ConfigSources;
    problems?: readonly ConfigProblem[];
  },
  pauses: readonly Pause[] = [],
  places: readonly string[] = [],
): HookConfigFile {
  const { fileConfig: config, sources, problems = [] } = loaded;
  return {
    format: HOOK_CONFIG_FORMAT,
    config,
    sources,
    ...(problems.length > 0 && { problems }),
    ...(pauses.length > 0 && { pauses }),
    ...(places.length > 0 && { places }),
  };
}

/**
 * Writes `hook-config.json` whole or not at all, for its owner only.
 * @param ben10Dir the `.ben10` folder, made if missing
 * @throws Node's errors
 */
export function writeHookConfig(
  ben10Dir: string,
  data: HookConfigFile,
  random: Random = systemRandom,
): void {
  ensureDir(nodeFs, ben10Dir);
  const bytes = Buffer.from(`${JSON.stringify(data)}\n`);
  writeFileAtomic(nodeFs, hookConfigPath(ben10Dir), bytes, randomHex(random, 6), {
    durable: false,
  });
}

export interface HookConfig {
  /** With this process's `BEN10_*` variables; those that are not sound are left out. */
  config: Ben10Config;
  /** A YAML file appeared, changed or went since: compile again where there is time for it. */
  stale: boolean;
  /** What is wrong in the files that it was compiled from; `config` is what could be used of them. */
  problems: readonly ConfigProblem[];
}

/**
 * Reads what `writeHookConfig` wrote. A hook must go on whatever it finds: a missing, broken, oversized or foreign
 * file is undefined, never an error, and the built-in defaults hold.
 */
export function readHookConfig(
  ben10Dir: string,
  env: Environment = process.env,
  home: string = homeOrTop(),
): HookConfig | undefined {
  const data = readHookConfigFile(ben10Dir);
  if (data === undefined || !isRecord(data.sources)) return undefined;
  const { values, problems } = checkTree(data.config);
  if (problems.length > 0) return undefined;
  const { user, userJson, project, projectJson } = data.sources;
  // The paths are this process's own: none is taken from the file.
  const ofUser = configPair(userConfigDir(env, home));
  const ofProject = configPair(ben10Dir);
  const fresh =
    isUnchanged(ofUser.yaml, asStamp(user)) &&
    isUnchanged(ofUser.json, asStamp(userJson)) &&
    isUnchanged(ofProject.yaml, asStamp(project)) &&
    isUnchanged(ofProject.json, asStamp(projectJson));
  return { config: withVariables(values, env), stale: !fresh, problems: problemsIn(data) };
}

/** What was compiled last as far as it is sound, without any variables; undefined where nothing was. */
export function compiledValues(ben10Dir: string): ConfigValues | undefined {
  const config = readHookConfigFile(ben10Dir)?.config;
  if (config === undefined) return undefined;
  const { values, partial } = checkTree(config);
  return new Map([...values, ...partial]);
}

function withVariables(values: ConfigValues, env: Environment): Ben10Config {
  const { values: given, partial = new Map() } = environmentLayer(env);
  return composeConfig([values, given, partial]);
}

const problemsIn = ({ problems }: Record<string, unknown>): ConfigProblem[] =>
  (Array.isArray(problems) ? problems : []).filter(
    (one) => isRecord(one) && typeof one.path === 'string' && typeof one.message === 'string',
  );

/** Anything that is no stamp matches no file. */
function asStamp(value: unknown): FileStamp | null {
  if (value === null) return null;
  const { mtimeMs, size, sha256 } = isRecord(value) ? value : {};
  return { mtimeMs: Number(mtimeMs), size: Number(size), sha256: String(sha256) };
}

/** The same for who goes on whatever there is: what is sound of it, the defaults else, and this process's variables. */
export const hookConfigOrDefault = (
  ben10Dir: string,
  env: Environment = process.env,
): Ben10Config => withVariables(compiledValues(ben10Dir) ?? new Map(), env);
