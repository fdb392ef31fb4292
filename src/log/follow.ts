import { errno } from '../platform/errors.ts';
import type { Project } from '../project/open.ts';
import { inOrder, isListed, type ListQuery } from './in-order.ts';
import { type LogEvent, LogReading } from './query.ts';

/** Short for people, rare for machines. */
export const POLL_MS = 200;

/**
 * The newest `limit` matching events in the order in which they happened, then each new one as it arrives, without gaps, until `signal`
 * is aborted. Events in the inbox follow when they have a seq.
 * @throws Ben10Error as `queryLog`
 */
export async function* followLog(
  project: Project,
  query: ListQuery,
  signal: AbortSignal,
): AsyncGenerator<LogEvent> {
  const reading = new LogReading(project, query);
  let before = stampOf(project);
  for (const _ of reading.sequenced());
  const to = Math.min(query.to ?? reading.lastSeq, reading.lastSeq);
  for (const { event } of inOrder(project, { ...query, to }).lines) yield event;
  while (!signal.aborted) {
    await pause(POLL_MS, signal);
    const now = stampOf(project);
    if (now === before) continue;
    // Taken before reading, so later changes are noticed.
    before = now;
    for (const event of reading.sequenced()) if (isListed(event, query)) yield event;
  }
}

/** Changes with every append. */
function stampOf(project: Project): string {
  const last = project.reader.segments().at(-1);
  if (last === undefined) return '';
  try {
    const { size, mtimeMs } = project.ports.fs.stat(last.path);
    return `${last.path} ${size} ${mtimeMs}`;
  } catch (error) {
    if (errno(error) !== 'ENOENT') throw error;
    return ''; // sealed meanwhile
  }
}

/** Ends early when aborted. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });
}
