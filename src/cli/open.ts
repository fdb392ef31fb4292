import path from 'node:path';
import { layoutOf, refuseUnsafeLayout } from '../journal/format/layout.ts';
import { configPair, isUnchanged, userConfigDir } from '../platform/config/files.ts';
import type { Ben10Config } from '../platform/config/keys.ts';
import { Ben10Error } from '../platform/errors.ts';
import { nodeFs } from '../platform/fs.ts';
import { homeOrTop } from '../platform/home.ts';
import { compiledValues, hookConfigOrDefault, readHookConfig } from '../platform/hook-config.ts';
import { projectAbove } from '../platform/project-above.ts';
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
import { wrap } from './ui/wrap.ts';

type Here = Pick<Ben10Context, 'cwd' | 'env' | 'lock'> & {
  stderr: { write(text: string): unknown };
};

/** How long a reading command waits for the lock to drain the inbox, milliseconds. */
const DRAIN_BUDGET_MS = 200;

/** Of what a command appends; an import folds it at once. */
const REMEMBERED_BYTES = 8 * 1024 * 1024;

/**
 * Opens the project's journal for `work`, and closes it. The inbox is drained first; if the lock is busy, a line on stderr says
 * how many events wait.
 * @param hash for little reading: the default is faster, but takes time to load
 * @throws Ben10Error CONTEXT_NOT_FOUND
 */
export async function withJournal<T>(
  context: Here,
  work: (project: Project) => T | Promise<T>,
  hash?: Hash64,
): Promise<T> {
  const drained = (project: Project) => {
    const waiting = takeInbox(project);
    if (waiting > 0) context.stderr.write(`${wrap(waitingLine(waiting))}\n`);
    return work(project);
  };
  return opened(context, drained, { hash });
}

/**
 * The same with the journals of other projects, by their names; those are only read. Outside of a project the others alone.
 * @param dirs folders in those
 * @throws Ben10Error CONTEXT_NOT_FOUND
 */
export async function withJournals<T>(
  context: Here,
  dirs: readonly string[],
  work: (projects: ReadonlyMap<string, Project>, own?: Project) => T | Promise<T>,
): Promise<T> {
  const others = new Map<string, Project>();
  const { cwd, env } = context;
  try {
    for (const dir of dirs) {
      const found = findProject(path.resolve(cwd, dir));
      const options = optionsOf(await settingsToReadBy(found, context));
      const hash = await fastHash();
      others.set(
        found,
        openProject(found, { ...options, lockBudgetMs: 0, readOnly: true, hash, env }),
      );
    }
    if (others.size > 0 && projectAbove(cwd) === undefined) return await work(others);
    return await withJournal(context, (own) => work(new Map([...others, [own.dir, own]]), own));
  } finally {
    for (const project of others.values()) project.close();
  }
}

const waitingLine = (events: number): string => {
  const wait = `${plural(events, 'event')} ${events === 1 ? 'waits' : 'wait'}`;
  return `${wait} in the inbox; if that lasts, run: ben10 doctor`;
};

/** For commands that examine the journal without changing it. Files that cannot be read are skipped, and listed in `ports.refused`. */
export const withJournalAsIs = <T>(
  context: Omit<Here, 'stderr'>,
  work: (project: Project) => T | Promise<T>,
): Promise<T> => opened(context, work, { refused: new Map() });

/** For commands that only look at files, in a project's folder or in the current one: no journal is needed, and nothing is written. */
export const withFiles = <T>(
  context: Omit<Here, 'stderr'>,
  work: (project: Project) => T | Promise<T>,
): Promise<T> => opened(context, work, { dir: projectOrHere(context.cwd), readOnly: true });

interface How {
  hash?: Hash64 | undefined;
  refused?: Map<string, string>;
  dir?: string;
  readOnly?: boolean;
}

async function opened<T>(
  context: Omit<Here, 'stderr'>,
  work: (project: Project) => T | Promise<T>,
  { hash, refused, dir = findProject(context.cwd), readOnly = false }: How,
): Promise<T> {
  const project = openProject(dir, {
    ...optionsOf(await settingsToReadBy(dir, context)),
    lockBudgetMs: DRAIN_BUDGET_MS,
    hash: hash ?? (await fastHash()),
    env: context.env,
    lock: context.lock,
    readOnly,
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

/** Reading works with mistakes in the settings: their valid part applies, with the compiled ones. */
async function settingsToReadBy(dir: string, { env }: Pick<Here, 'env'>): Promise<Ben10Config> {
  const root = path.join(dir, BEN10_DIR);
  const compiled = readHookConfig(root, env);
  if (compiled !== undefined && !compiled.stale) return compiled.config;
  if (compiled === undefined && isUnconfigured(root, env)) return hookConfigOrDefault(root, env);
  const { loadUsableConfig } = await import('../platform/config.ts');
  return loadUsableConfig({ projectDir: dir, env }, compiledValues(root)).config;
}

/** Whether there are no settings files, so that the parser need not be loaded. */
function isUnconfigured(root: string, env: Ben10Context['env']): boolean {
  const pairs = [root, userConfigDir(env, homeOrTop())].map(configPair);
  return pairs.every(({ yaml, json }) => isUnchanged(yaml, null) && isUnchanged(json, null));
}

/** For commands that append. @throws Ben10Error also CONFIG_INVALID and JOURNAL_UNSAFE */
export async function withWriting<T>(
  context: Ben10Context,
  work: (project: Project, config: Ben10Config) => T | Promise<T>,
): Promise<T> {
  const dir = findProject(context.cwd);
  // Before the settings are read: they could be another user's.
  refuseUnsafeLayout(nodeFs, layoutOf(`${dir}/.ben10`));
  const { loadConfig } = await import('../platform/config.ts');
  const { config } = loadConfig({ projectDir: dir, env: context.env });
  const project = openProject(dir, {
    ...optionsOf(config),
    lockBudgetMs: LOCK_BUDGET_MS,
    rememberedBytes: REMEMBERED_BYTES,
    hash: await fastHash(),
    env: context.env,
    lock: context.lock,
  });
  try {
    return await work(project, config);
  } finally {
    project.close();
  }
}

/** The project's folder, or the current one if there is none. */
export function projectOrHere(cwd: string): string {
  try {
    return findProject(cwd);
  } catch (error) {
    if (error instanceof Ben10Error && error.code === 'CONTEXT_NOT_FOUND') return cwd;
    throw error;
  }
}
