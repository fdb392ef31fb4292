import { errno } from '../platform/errors.ts';
import type { Project } from '../project/open.ts';
import { keepLast, type LogEvent, type LogQuery, LogReading } from './query.ts';

/** How often the journal's files are looked at. A person does not see the delay, and a machine not the work. */
export const POLL_MS = 200;

/**
 * The newest `limit` events that match, then every further one as it arrives, until `signal` is aborted: none twice,
 * none left out, in the order of the journal. Events of the inbox come when they have got their seq.
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
    // Taken before the reading: what arrives meanwhile changes it again.
    before = now;
    yield* reading.sequenced();
  }
}

/** Changes whenever something was appended: the newest segment's name and size, or its successor's. */
function stampOf(project: Project): string {
  const last = project.reader.segments().at(-1);
  if (last === undefined) return '';
  try {
    const { size, mtimeMs } = project.ports.fs.stat(last.path);
    return `${last.path} ${size} ${mtimeMs}`;
  } catch (error) {
    if (errno(error) !== 'ENOENT') throw error;
    return ''; // sealed since it was listed
  }
}

/** Ends early, and without an error, when the signal is aborted. */
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
