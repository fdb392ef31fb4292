import { statSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { type Estimate, estimateOf, TEXT_BYTES_MAX } from '../monitor/estimate.ts';
import { planSessions, type SessionPlan } from '../monitor/session-plan.ts';
import { loadUsableConfig } from '../platform/config.ts';
import { Ben10Error, errno } from '../platform/errors.ts';
import { readFile } from '../platform/files.ts';
import { nodeFs } from '../platform/fs.ts';
import { ofSystem } from '../platform/system-error.ts';
import { transcriptOf } from '../project/catch-up.ts';
import { oneLine } from '../projections/safe-text.ts';
import type { Ben10Context } from './context.ts';
import { viewNow } from './monitor/view-now.ts';
import { withJournal } from './open.ts';
import { readPiped } from './ui/piped-input.ts';

const tooLong = () =>
  new Ben10Error('LIMIT_EXCEEDED', `the text has over ${TEXT_BYTES_MAX} bytes`, {
    next: 'Give a part of it.',
  });

const missing = (file: string) =>
  new Ben10Error('FS_NOT_FOUND', `there is no file ${oneLine(file)}`, {
    next: 'Name a file that is there; a task may be given in words.',
  });

/** A file's text. @throws Ben10Error */
export function textOfFile({ cwd }: Ben10Context, file: string): string {
  try {
    return readFile(nodeFs, path.resolve(cwd, file), TEXT_BYTES_MAX).toString('utf8');
  } catch (error) {
    if (errno(error) === 'EFBIG') throw tooLong();
    if (errno(error) === 'ENOENT') throw missing(file);
    throw ofSystem(error) ?? error;
  }
}

/** What `ben10 estimate` and `ben10 checkpoint --estimate` print. @param task a text, a file, or `-` */
export async function estimated(
  context: Ben10Context,
  task: string,
  session?: string,
): Promise<Estimate> {
  const text = await taskText(context, task);
  return withJournal(context, (project) => {
    const { env } = context;
    const { config } = loadUsableConfig({ projectDir: project.dir, env });
    const { session: own } = transcriptOf(project, session);
    const where = { project, settings: config.monitor, ...(own !== undefined && { session: own }) };
    return estimateOf(where, text);
  });
}

/** What `ben10 estimate --plan` prints. @param task whose items are planned; by default the session's todos */
export async function planned(
  context: Ben10Context,
  task?: string,
  session?: string,
): Promise<SessionPlan> {
  const text = task === undefined ? undefined : await taskText(context, task);
  return withJournal(context, (project) => {
    const { session: own } = transcriptOf(project, session);
    return planSessions(project, viewNow(project, own ?? '', context), text);
  });
}

async function taskText(context: Ben10Context, task: string): Promise<string> {
  if (task === '-') return readPiped(context.stdin as Readable, TEXT_BYTES_MAX, tooLong);
  if (task.trim() === '')
    throw new Ben10Error('USAGE', 'the task is empty', {
      next: 'Say in words what is to be done.',
    });
  const isNamed = !/\s/.test(task) && /\.\w{1,9}$/.test(task);
  if (!isNamed && !isFile(context, task)) return task;
  if (isFile(context, task)) return textOfFile(context, task);
  throw missing(task);
}

function isFile({ cwd }: Ben10Context, task: string): boolean {
  try {
    return statSync(path.resolve(cwd, task)).isFile();
  } catch {
    return false;
  }
}
