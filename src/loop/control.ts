import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { LoopLimits, LoopStarted } from '../events/types.ts';
import type { LockFile } from '../journal/append/locking.ts';
import { Ben10Error } from '../platform/errors.ts';
import { randomHex } from '../platform/random.ts';
import type { Project } from '../project/open.ts';
import { type LoopRecord, NAME_CHARS } from '../projections/folds/loops.ts';
import { LOOP_TAG } from '../projections/tools-text.ts';
import { append } from './append.ts';
import { holdWorktree } from './hold.ts';
import { allLoops } from './of-project.ts';
import { PROMPT_FILE } from './prompt.ts';

/** A loop that this process holds. */
export interface Held {
  loop: string;
  lock: LockFile;
}

/** @throws Ben10Error CONTEXT_LOCKED, USAGE */
export const startLoop = (project: Project, given: Omit<LoopStarted, 'loop'>): Held => {
  const loop = randomHex(project.ports.random, 8);
  refuseUnkept(project, [...given.client, ...given.limits.checks, given.limits.until ?? '']);
  refuseUsersPrompt(project, given);
  return begun(project, { loop, worktree: given.worktree }, () =>
    append(project, 'loop.started', null, { loop, ...given }),
  );
};

/** @param limits what is to be different from now on @throws Ben10Error CONTEXT_LOCKED, USAGE */
export const resumeLoop = (
  project: Project,
  found: LoopRecord,
  limits: Partial<LoopLimits>,
): Held => {
  const { loop } = found;
  refuseUnkept(project, [...(limits.checks ?? []), limits.until ?? '']);
  return begun(project, found, () =>
    append(project, 'loop.resumed', null, { loop, limits: { ...found.limits, ...limits } }),
  );
};

/** What a loop runs, it runs as the journal has it: without secrets, and no longer than that keeps. */
function refuseUnkept(project: Project, commands: readonly string[]): void {
  for (const command of commands) {
    if (command.length > NAME_CHARS)
      throw new Ben10Error('USAGE', `a command has over ${NAME_CHARS} characters`, {
        next: 'Put it into a script, and name that.',
      });
    if (project.redact(command) !== command)
      throw new Ben10Error('USAGE', 'a command holds a secret, which the journal does not keep', {
        next: 'Give it by a variable of the environment.',
      });
  }
}

/** Each iteration writes its prompt there: over nothing that is not a loop's. */
function refuseUsersPrompt(
  { dir }: Project,
  { worktree, file }: Pick<LoopStarted, 'worktree' | 'file'>,
): void {
  const ours = path.resolve(dir, worktree, PROMPT_FILE);
  const isLoops = () => readFileSync(ours, 'utf8').includes(`<${LOOP_TAG}>`);
  if (!existsSync(ours) || (file !== PROMPT_FILE && isLoops())) return;
  const what = `a loop writes its prompts over ${PROMPT_FILE}, which is a task of yours`;
  const next = `Move it first: mv ${PROMPT_FILE} PROMPT.md`;
  throw new Ben10Error('USAGE', what, { place: { file: ours }, next });
}

/** One loop in a worktree: also beside one that was killed none may start, for its client may still live. */
function begun(
  project: Project,
  { loop, worktree }: Pick<LoopRecord, 'loop' | 'worktree'>,
  begin: () => void,
): Held {
  const lock = holdWorktree(project, worktree);
  const other = allLoops(project).find(
    (one) => one.worktree === worktree && one.stopped === null && (one.loop !== loop || !lock),
  );
  const name = other === undefined ? 'a loop' : `loop ${other.loop}`;
  try {
    if (lock === undefined)
      throw locked(`${name} runs in this worktree already`, 'How it stands: ben10 loop status');
    if (other !== undefined)
      throw locked(`${name} of this worktree was killed`, 'To go on with it: ben10 loop resume');
    begin();
    return { loop, lock };
  } catch (error) {
    lock?.close();
    throw error;
  }
}

const locked = (what: string, next: string): Ben10Error =>
  new Ben10Error('CONTEXT_LOCKED', what, { next: `${next}. To end it: ben10 loop stop` });

/** Ends a loop: its process sees the event, interrupts its client and takes the checkpoint. */
export const stopLoop = (project: Project, loop: string): void =>
  append(project, 'loop.stopped', null, { loop, reason: 'stopped' });
