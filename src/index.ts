/**
 * ben10 as a library: read a project's journal, and get its states at any point. Nothing is locked or written. What is exported
 * here is kept stable; everything else is the program's own business.
 */
import type { JournalEvent } from './events/types.ts';
import { withBlobs } from './log/blobs.ts';
import { queryLog } from './log/query.ts';
import { expandTypes } from './log/typed.ts';
import { Ben10Error } from './platform/errors.ts';
import { findProject, openProject } from './project/open.ts';
import type { ContextState } from './projections/folds/context.ts';
import { replay, shownReplay } from './timetravel/replay.ts';
import { resolvePoint } from './timetravel/resolve.ts';

export type { EventData, EventType, JournalEvent } from './events/types.ts';
export { Ben10Error, type ErrorCode } from './platform/errors.ts';
export type { ContextState } from './projections/folds/context.ts';

export interface Events {
  /** The first and the last: an event's number, or a point such as `@prompt:-2`. */
  from?: number | string;
  to?: number | string;
  /** Names such as `tool.called`, or families: `tool`. */
  types?: readonly string[];
}

export interface Journal {
  /**
   * Oldest first, with large texts in their places; damage is passed over. Those that wait in the inbox come last, with the number 0.
   * @throws Ben10Error USAGE for an unknown type, POINT_INVALID, POINT_NOT_FOUND
   */
  events(query?: Events): IterableIterator<JournalEvent>;
  /**
   * The state of a projection: `context` (by default), `sessions`, `files`, `tools`, `tasks` or `usage`.
   * @throws Ben10Error USAGE for an unknown projection, POINT_INVALID, POINT_NOT_FOUND
   */
  at(point: string, projection?: 'context'): ContextState;
  at(point: string, projection: string): unknown;
  close(): void;
}

/**
 * @param dir the project's folder, or one below it
 * @throws Ben10Error CONTEXT_NOT_FOUND where there is no journal
 */
export function open(dir: string): Journal {
  let project: ReturnType<typeof openProject> | undefined = openProject(findProject(dir), {
    lockBudgetMs: 0,
    readOnly: true,
  });
  const opened = () => {
    if (project !== undefined) return project;
    throw new Ben10Error('USAGE', 'this journal was closed', { next: 'Open it again.' });
  };
  const seqOf = (at: number | string, edge: 'from' | 'to') =>
    typeof at === 'number' ? at : resolvePoint(opened(), at, { edge }).seq;
  return {
    *events({ from, to, types = [] } = {}) {
      const query = {
        ...(from !== undefined && { from: seqOf(from, 'from') }),
        ...(to !== undefined && { to: seqOf(to, 'to') }),
        ...(types.length > 0 && { types: expandTypes(types) }),
      };
      for (const event of queryLog(opened(), query))
        yield { ...event, data: withBlobs(opened(), event.data) };
    },
    at: (point: string, projection = 'context') =>
      shownReplay(opened(), replay(opened(), { point, projection })).state as ContextState,
    close() {
      project?.close();
      project = undefined;
    },
  };
}
