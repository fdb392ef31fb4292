import path from 'node:path';
import { layoutOf, refuseUnsafeLayout } from '../journal/format/layout.ts';
import { configPair, isUnchanged, userConfigDir } from '../platform/config/files.ts';
import type { Ben10Config } from '../platform/config/keys.ts';
import { Ben10Error } from '../platform/errors.ts';
import { nodeFs } from '../platform/fs.ts';
import { homeOrTop } from '../platform/home.ts';
import { compiledValues, hookConfigOrDefault, readHookConfig } from '../platform/hook-config.ts';
import { BEN10_DIR } from '../platform/storage-location.ts';
import type { Hash64 } from '../platform/xxh64.ts';
import { takeInbox } from '../project/inbox.ts';
import {
  findProject,
  LOCK_BUDGET_MS,
  openProject,
  optionsOf,
  type Project,
} from '../project/open.ts';
import type { Ben10Context } from './context.ts';
import { plural } from './ui/format.ts';

/** What of a context a journal is opened in. */
type Here = Pick<Ben10Context, 'cwd' | 'env'> & { stderr: { write(text: string): unknown } };

/** Reading must not wait for a lock: what cannot be taken in within this, milliseconds, is said to wait. */
const DRAIN_BUDGET_MS = 200;

/**
 * Opens the journal that the current folder belongs to, works with it, and closes it. What waits in its inbox is
 * taken in first; where that is not possible at once, a line on stderr says how much still waits.
 * @param hash for who reads little, in place of the one that is faster once it is loaded
 * @throws Ben10Error CONTEXT_NOT_FOUND when there is none
 */
export async function withJournal<T>(
  context: Here,
  work: (project: Project) => T | Promise<T>,
  hash?: Hash64,
): Promise<T> {
  const taken = (project: Project) => {
    const waiting = takeInbox(project);
    if (waiting > 0) context.stderr.write(`${waitingLine(waiting)}\n`);
    return work(project);
  };
  return opened(context, taken, { hash });
}

const waitingLine = (events: number): string => {
  const wait = `${plural(events, 'event')} ${events === 1 ? 'waits' : 'wait'}`;
  return `${wait} in the inbox for a place in the journal; if that lasts: ben10 doctor`;
};

/**
 * The same for commands that examine the journal and change nothing, not even its inbox. They go on past files that are not
 * given: these are in `ports.refused` then.
 */
export const withJournalAsIs = <T>(
  context: Omit<Here, 'stderr'>,
  work: (project: Project) => T | Promise<T>,
): Promise<T> => opened(context, work, { refused: new Map() });

async function opened<T>(
  context: Omit<Here, 'stderr'>,
  work: (project: Project) => T | Promise<T>,
  { hash, refused }: { hash?: Hash64 | undefined; refused?: Map<string, string> },
): Promise<T> {
  const dir = findProject(context.cwd);
  const project = openProject(dir, {
    ...optionsOf(await settingsToReadBy(dir, context)),
    lockBudgetMs: DRAIN_BUDGET_MS,
    hash: hash ?? (await fastHash()),
    env: context.env,
    ...(refused !== undefined && { refused }),
  });
  try {
    return await work(project);
  } finally {
    project.close();
  }
}

async function fastHash(): Promise<Hash64> {
  const { loadXxh64 } = await import('../platform/xxh64-wasm.ts');
  return loadXxh64();
}

/** A mistake in the settings keeps nobody from reading: what can be used of them holds, with the compiled ones. */
async function settingsToReadBy(dir: string, { env }: Pick<Here, 'env'>): Promise<Ben10Config> {
  const root = path.join(dir, BEN10_DIR);
  const compiled = readHookConfig(root, env);
  if (compiled !== undefined && !compiled.stale) return compiled.config;
  if (compiled === undefined && isUnconfigured(root, env)) return hookConfigOrDefault(root, env);
  const { loadUsableConfig } = await import('../platform/config.ts');
  return loadUsableConfig({ projectDir: dir, env }, compiledValues(root)).config;
}

/** Whether there is no file of settings at all: then nothing has to be parsed, and the parser need not be loaded. */
function isUnconfigured(root: string, env: Ben10Context['env']): boolean {
  const pairs = [root, userConfigDir(env, homeOrTop())].map(configPair);
  return pairs.every(({ yaml, json }) => isUnchanged(yaml, null) && isUnchanged(json, null));
}

/**
 * The same for commands that append: with the project's settings, and with time for the lock.
 * @param env where `BEN10_*` variables may override settings
 * @throws Ben10Error also CONFIG_INVALID, and JOURNAL_UNSAFE
 */
export async function withWriting<T>(
  context: Ben10Context,
  work: (project: Project, config: Ben10Config) => T | Promise<T>,
): Promise<T> {
  const dir = findProject(context.cwd);
  // Before its settings are read: they would be somebody else's.
  refuseUnsafeLayout(nodeFs, layoutOf(`${dir}/.ben10`));
  // Brings a YAML parser with it, which reading does without.
  const { loadConfig } = await import('../platform/config.ts');
  const { config } = loadConfig({ projectDir: dir, env: context.env });
  const project = openProject(dir, {
    ...optionsOf(config),
    lockBudgetMs: LOCK_BUDGET_MS,
    hash: await fastHash(),
    env: context.env,
  });
  try {
    return await work(project, config);
  } finally {
    project.close();
  }
}

/** The project's folder; the current one where there is none, for commands that say what is missing. */
export function projectOrHere(cwd: string): string {
  try {
    return findProject(cwd);
  } catch (error) {
    if (error instanceof Ben10Error && error.code === 'CONTEXT_NOT_FOUND') return cwd;
    throw error;
  }
}
