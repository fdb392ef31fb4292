import { errno } from '../platform/errors.ts';
import type { Project } from '../project/open.ts';
import { keepLast, type LogEvent, type LogQuery, LogReading } from './query.ts';

/** Short for people, rare for machines. */
export const POLL_MS = 200;

/**
 * The newest `limit` matching events, then each new one until `signal` is aborted, in order and without gaps. Events in the inbox
 * follow when they have a seq.
 * @throws Ben10Error as `queryLog`
 */
export async function* followLog(
  project: Project,
  query: LogQuery,
  signal: AbortSignal,
): AsyncGenerator<LogEvent> {
  const reading = new LogReading(project, query);
  const { limit = Number.POSITIVE_INFINITY } = query;
  let before = stampOf(project);
  yield* keepLast(reading.sequenced(), limit);
  while (!signal.aborted) {
    await pause(POLL_MS, signal);
    const now = stampOf(project);
    if (now === before) continue;
    // Taken before reading, so later changes are noticed.
    before = now;
    yield* reading.sequenced();
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
