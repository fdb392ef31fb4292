import type { ContextCleared } from '../events/types.ts';
import { Ben10Error, errno } from '../platform/errors.ts';
import type { Project } from '../project/open.ts';
import { append, drainInbox } from './append.ts';
import { keepCurrent } from './current.ts';
import { contextAt } from './replay.ts';
import { resolvePoint } from './resolve.ts';
import type { SaveOptions } from './saves.ts';

export interface ClearedContext {
  session: string;
  /** Restoring `@seq` undoes the clear. */
  seq: number;
  messages: number;
  files: number;
  toolExecutions: number;
}

/** What `clear` would clear. @throws as `clear` */
export function whatClears(
  project: Project,
  options: Pick<SaveOptions, 'session'> = {},
): ClearedContext {
  drainInbox(project);
  const resolved = resolvePoint(project, '@head', options);
  const { state, session } = contextAt(project, resolved);
  if (session === null) {
    throw new Ben10Error(
      'CONTEXT_NOT_FOUND',
      'there is nothing to clear: no session was recorded yet',
      { place: { file: project.layout.journal } },
    );
  }
  const { conversation, files, tools, cleared } = state;
  const held = {
    messages: conversation.messageCount,
    files: Object.keys(files.files).length,
    toolExecutions: tools.total,
  };
  // A second clear finds nothing new, so the way back is that of the first.
  const isEmpty = Object.values(held).every((many) => many === 0);
  return { session, seq: isEmpty && cleared !== null ? cleared.upto : resolved.seq, ...held };
}

/**
 * Starts an empty context. The journal keeps everything, and restoring an earlier point brings the context back. Durable on return.
 * @throws Ben10Error CONTEXT_NOT_FOUND when nothing was recorded yet, FS_WRITE_ERROR, FS_PERMISSION_DENIED
 */
export function clear(project: Project, options: SaveOptions = {}): ClearedContext {
  const cleared = whatClears(project, options);
  const data: ContextCleared = { upto: cleared.seq };
  append(project, 'context.cleared', cleared.session, data, options.source);
  // Other tools read the file, and the turn may take long. If it cannot be written now, the turn's end writes it.
  try {
    if (project.ports.fs.statIfThere(`${project.root}/current.ctx`) !== undefined)
      keepCurrent(project, cleared.session);
  } catch (error) {
    if (!(error instanceof Ben10Error) && errno(error) === undefined) throw error;
  }
  return cleared;
}
