import path from 'node:path';
import { checkValue } from '../platform/config/check.ts';
import { composeConfig } from '../platform/config/compose.ts';
import type { Ben10Config, WorkspaceSettings } from '../platform/config/keys.ts';
import { CONFIG_KEYS } from '../platform/config/keys.ts';
import type { Origin } from '../platform/config/origin.ts';
import { isRecord } from '../platform/config/value.ts';
import { readFile } from '../platform/files.ts';
import { nodeFs } from '../platform/fs.ts';
import { detectProjectType } from '../platform/project-type.ts';

/** File names of ContextKeeper, in its order. */
export const SEED_FILES = ['contextkeeper.toml', 'context-keeper.toml', '.contextkeeper.toml'];
const SEED_BYTES_MAX = 65_536;

/** ContextKeeper has our settings below `workspace`, in snake case: `scripts.entry_point`. */
const SEED_KEYS = CONFIG_KEYS.filter(({ name }) => /^workspace\..+\./.test(name));
const theirName = (name: string): string =>
  name.replace('workspace.', '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

interface KnownSettings {
  settings: WorkspaceSettings;
  /** Problems of a `contextkeeper.toml`, one line each. */
  notes: string[];
}

/**
 * The settings with their gaps filled: from a `contextkeeper.toml`, then from the project's files. Invalid values
 * there are noted and skipped: the file is another program's.
 * @param given ben10's own configuration; a default value counts as a gap
 */
export async function knownSettings(dir: string, given: WorkspaceSettings): Promise<KnownSettings> {
  const settings = structuredClone(given);
  const { values, notes } = await seedSettings(dir, given);
  for (const [name, value] of values) put(settings, wayOf(name), value);
  settings.project.name ||= path.basename(dir);
  settings.project.type ||= detectProjectType(dir)?.type ?? '';
  return { settings, notes };
}

/** A loaded configuration, and the origins of its values. */
interface Loaded {
  config: Ben10Config;
  originsOf(name: string): Origin[];
}

/** A configuration with what a `contextkeeper.toml` adds, for display. @param dir the project's */
export async function withSeed(dir: string, loaded: Loaded): Promise<Loaded & { notes: string[] }> {
  const config = structuredClone(loaded.config);
  const { file, values, notes } = await seedSettings(dir, config.workspace);
  for (const [name, value] of values) put(config.workspace, wayOf(name), value);
  const originsOf = (name: string): Origin[] =>
    file !== undefined && values.has(name)
      ? [{ kind: 'contextkeeper', file }]
      : loaded.originsOf(name);
  return { config, originsOf, notes };
}

interface SeedSettings {
  /** Absent if there is none. */
  file?: string;
  /** The values that apply, by the names of our settings (`workspace.git.enabled`). */
  values: Map<string, unknown>;
  notes: string[];
}

async function seedSettings(dir: string, given: WorkspaceSettings): Promise<SeedSettings> {
  const notes: string[] = [];
  const found = seedText(dir);
  if (found === undefined) return { values: new Map(), notes };
  const defaults = composeConfig([]).workspace;
  const isOpen = ([name]: [string, unknown]): boolean => {
    const way = wayOf(name);
    return JSON.stringify(at(given, way)) === JSON.stringify(at(defaults, way));
  };
  const values = [...(await seedValues(found, notes))].filter(isOpen);
  return { file: path.join(dir, found.file), values: new Map(values), notes };
}

/** The path below `workspace`. */
const wayOf = (name: string): string[] => name.split('.').slice(1);

async function seedValues(
  { file, text }: { file: string; text: string },
  notes: string[],
): Promise<Map<string, unknown>> {
  const values = new Map<string, unknown>();
  let tree: unknown;
  try {
    const { parse } = await import('smol-toml');
    tree = parse(text);
  } catch (error) {
    const why = String((error as Error).message).split('\n')[0];
    notes.push(`${file} is not valid TOML and was ignored: ${why}`);
    return values;
  }
  for (const key of SEED_KEYS) {
    const theirs = theirName(key.name);
    const said = at(tree, theirs.split('.'));
    // A hint may have several lines.
    const value = typeof said === 'string' ? said.replace(/\s+/g, ' ').trim() : said;
    if (value === undefined) continue;
    const [problem] = checkValue(key, value);
    if (problem === undefined) values.set(key.name, value);
    else notes.push(`${file}, ${theirs}: ${problem.message}`);
  }
  return values;
}

function seedText(dir: string): { file: string; text: string } | undefined {
  for (const file of SEED_FILES) {
    try {
      const bytes = readFile(nodeFs, path.join(dir, file), SEED_BYTES_MAX);
      return { file, text: bytes.toString('utf8') };
    } catch {
      // Missing, a link, or too large.
    }
  }
  return undefined;
}

function at(tree: unknown, way: readonly string[]): unknown {
  let value = tree;
  for (const name of way) {
    if (!isRecord(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

function put(tree: object, way: readonly string[], value: unknown): void {
  const section = at(tree, way.slice(0, -1)) as Record<string, unknown>;
  section[way.at(-1)!] = value;
}
