import { statSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { estimateOf, hasRoom, TEXT_BYTES_MAX } from '../monitor/estimate.ts';
import { planSessions, type SessionPlan } from '../monitor/session-plan.ts';
import { toldOf } from '../monitor/shards.ts';
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
import { estimateLines } from './ui/sizes.ts';

const tooLong = () =>
  new Ben10Error('LIMIT_EXCEEDED', `the text has over ${TEXT_BYTES_MAX} bytes`, {
    next: 'Give a part of it.',
  });

/** A file's text. @throws Ben10Error */
export function textOfFile({ cwd }: Ben10Context, file: string): string {
  try {
    return readFile(nodeFs, path.resolve(cwd, file), TEXT_BYTES_MAX).toString('utf8');
  } catch (error) {
    if (errno(error) === 'EFBIG') throw tooLong();
    if (errno(error) !== 'ENOENT') throw ofSystem(error) ?? error;
    throw new Ben10Error('FS_NOT_FOUND', `there is no file ${oneLine(file)}`, {
      next: 'Name a file that is there; a task may be given in words.',
    });
  }
}

/** What `ben10 estimate` and `ben10 checkpoint --estimate` print. @param task a text, a file, or `-` */
export async function estimated(
  context: Ben10Context,
  task: string,
  session?: string,
): Promise<{ data: object; lines: string[]; hasRoom: boolean }> {
  const text = await taskText(context, task);
  return withJournal(context, (project) => {
    const { env } = context;
    const { monitor } = loadUsableConfig({ projectDir: project.dir, env }).config;
    const { session: own } = transcriptOf(project, session);
    const found = estimateOf({ project, settings: monitor, session: own }, text);
    const data = { ...found, shards: found.shards.map(toldOf) };
    return { data, lines: estimateLines(found), hasRoom: hasRoom(found) };
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
  return namesFile(context, task) ? textOfFile(context, task) : task;
}

/** Whether a task is a file, also one that is not there; else it is a text. @throws Ben10Error USAGE if it is empty */
export function namesFile({ cwd }: Ben10Context, task: string): boolean {
  if (task.trim() === '')
    throw new Ben10Error('USAGE', 'the task is empty', {
      next: 'Say in words what is to be done.',
    });
  if (/^\S*\.\w{1,9}$/.test(task)) return true;
  try {
    return statSync(path.resolve(cwd, task)).isFile();
  } catch {
    return false; // a text may also be too long for a name
  }
}
