import type { ContextCleared } from '../events/types.ts';
import { listInbox } from '../journal/append/inbox.ts';
import { Ben10Error, errno } from '../platform/errors.ts';
import type { Project } from '../project/open.ts';
import { append } from './append.ts';
import { keepCurrent } from './keep-current.ts';
import { contextAt } from './replay.ts';
import { resolvePoint } from './resolve.ts';
import type { SaveOptions } from './saves.ts';

export interface ClearedContext {
  session: string;
  /** What was left behind is the state at `@seq`: restoring it undoes the clear. */
  seq: number;
  /** What it held. */
  messages: number;
  files: number;
  toolExecutions: number;
}

/** What would be left behind, without clearing anything. @throws as `clear` */
export function whatClears(
  project: Project,
  options: Pick<SaveOptions, 'session'> = {},
): ClearedContext {
  if (listInbox(project.ports, project.layout).length > 0) project.writer.drain();
  const { session: asked } = options;
  const resolved = resolvePoint(project, '@head', { session: asked });
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
  // Cleared twice: nothing stands where it was cleared again, so the way back is the one of the first time.
  const isEmpty = Object.values(held).every((many) => many === 0);
  return { session, seq: isEmpty && cleared !== null ? cleared.upto : resolved.seq, ...held };
}

/**
 * Starts an empty context from here on. Nothing is taken out of the journal: every earlier point stays, and restoring one
 * brings the context back. Durable when it returns.
 * @throws Ben10Error CONTEXT_NOT_FOUND when nothing was recorded yet, FS_WRITE_ERROR, FS_PERMISSION_DENIED
 */
export function clear(project: Project, options: SaveOptions = {}): ClearedContext {
  const cleared = whatClears(project, options);
  const data: ContextCleared = { upto: cleared.seq };
  append(project, 'context.cleared', cleared.session, data, options.source);
  // Other tools read it, and the turn may go on for long. Where it cannot be written, the turn's end does it.
  try {
    if (project.ports.fs.statIfThere(`${project.root}/current.ctx`) !== undefined)
      keepCurrent(project, cleared.session);
  } catch (error) {
    if (!(error instanceof Ben10Error) && errno(error) === undefined) throw error;
  }
  return cleared;
}
