import { Ben10Error } from '../platform/errors.ts';
import { findProject, LOCK_BUDGET_MS, openProject, type Project } from '../project/open.ts';
import type { Ben10Context } from './context.ts';

/** Reading must not wait for a lock: what lies in the inbox is shown as waiting. */
const DRAIN_BUDGET_MS = 200;

/**
 * Opens the journal that the current folder belongs to, works with it, and closes it. What waits in its inbox is
 * taken in first, where that is possible at once.
 * @throws Ben10Error CONTEXT_NOT_FOUND when there is none
 */
export async function withJournal<T>(
  context: Ben10Context,
  work: (project: Project) => T | Promise<T>,
): Promise<T> {
  const dir = findProject(context.cwd);
  const { loadXxh64 } = await import('../platform/xxh64-wasm.ts');
  const project = openProject(dir, { lockBudgetMs: DRAIN_BUDGET_MS, hash: await loadXxh64() });
  try {
    takeInbox(project);
    return await work(project);
  } finally {
    project.close();
  }
}

function takeInbox(project: Project): void {
  if (project.reader.inbox().length === 0) return;
  try {
    project.writer.drain();
  } catch {
    // A disk that can only be read, or a full one: reading goes on without.
  }
}

/**
 * The same for commands that append: with the project's settings, and with time for the lock.
 * @param env where `BEN10_*` variables may override settings
 * @throws Ben10Error also CONFIG_INVALID
 */
export async function withWriting<T>(
  context: Ben10Context,
  work: (project: Project) => T | Promise<T>,
): Promise<T> {
  const dir = findProject(context.cwd);
  // Brings a YAML parser with it, which reading does without.
  const { loadConfig } = await import('../platform/config.ts');
  const { config } = loadConfig({ projectDir: dir, env: context.env });
  const { loadXxh64 } = await import('../platform/xxh64-wasm.ts');
  const project = openProject(dir, {
    lockBudgetMs: LOCK_BUDGET_MS,
    hash: await loadXxh64(),
    redaction: config.redaction,
    segmentBytes: config.journal.segmentBytes,
  });
  try {
    return await work(project);
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
