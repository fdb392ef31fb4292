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
import { fieldsIn, isRecord } from './config/value.ts';
import { ensureDir, writeFileAtomic } from './files.ts';
import { nodeFs } from './fs.ts';
import { homeOrTop } from './home.ts';
import { HOOK_CONFIG_FORMAT, hookConfigPath, readHookConfigFile } from './hook-config-file.ts';
import type { Pause } from './pauses.ts';
import { type Random, randomHex, systemRandom } from './random.ts';

/** `.ben10/hook-config.json`. */
interface HookConfigFile {
  format: typeof HOOK_CONFIG_FORMAT;
  config: Ben10Config;
  sources: ConfigSources;
  /** Problems of the source files; `config` has their valid parts. */
  problems?: readonly ConfigProblem[];
  /** Times whose transcript records are not imported automatically. */
  pauses?: readonly Pause[];
  /** See `earlierPlaces`. */
  places?: readonly string[];
}

/** What hooks read instead of YAML: the files' values, and stamps that tell when they change. */
export function compileHookConfig(
  loaded: { fileConfig: Ben10Config; sources: ConfigSources; problems?: readonly ConfigProblem[] },
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

/** Writes `hook-config.json` atomically, with mode 0600. @throws Node's errors */
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
  /** With this process's valid `BEN10_*` variables. */
  config: Ben10Config;
  /** A source file appeared, changed or was removed: compile again when there is time. */
  stale: boolean;
  /** Problems of the source files; `config` has their valid parts. */
  problems: readonly ConfigProblem[];
}

/** Never throws, because a hook must go on: undefined if the file is missing, broken, too large or of another version. */
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
  // Paths are never taken from the file.
  const ofUser = configPair(userConfigDir(env, home));
  const ofProject = configPair(ben10Dir);
  const fresh =
    isUnchanged(ofUser.yaml, asStamp(user)) &&
    isUnchanged(ofUser.json, asStamp(userJson)) &&
    isUnchanged(ofProject.yaml, asStamp(project)) &&
    isUnchanged(ofProject.json, asStamp(projectJson));
  return { config: withVariables(values, env), stale: !fresh, problems: problemsIn(data) };
}

/** The valid part of the compiled settings, without variables; undefined if there are none. */
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

/** An invalid stamp matches no file. */
function asStamp(value: unknown): FileStamp | null {
  if (value === null) return null;
  const { mtimeMs, size, sha256 } = fieldsIn(value);
  return { mtimeMs: Number(mtimeMs), size: Number(size), sha256: String(sha256) };
}

/** The valid part of the compiled settings over the defaults, with this process's variables. */
export const hookConfigOrDefault = (
  ben10Dir: string,
  env: Environment = process.env,
): Ben10Config => withVariables(compiledValues(ben10Dir) ?? new Map(), env);
