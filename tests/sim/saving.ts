import type { JournalWriter } from '../../src/journal/append/writer.ts';
import type { JournalPorts } from '../../src/journal/format/ports.ts';
import { Ben10Error } from '../../src/platform/errors.ts';
import { save } from '../../src/timetravel/saves.ts';
import { projectOn } from '../project-on.ts';
import { SIM_ROOT } from './process.ts';

/**
 * Saves the context of a session, as the server and the command line do.
 * @param recording is told of every event that is appended
 */
export function saveContext(
  ports: JournalPorts,
  recording: Pick<JournalWriter, 'append' | 'drain'>,
  session: string,
): void {
  const project = projectOn(ports, SIM_ROOT, recording as JournalWriter);
  try {
    save(project, { name: 'saved', session });
  } catch (error) {
    if (!(error instanceof Ben10Error) || error.code !== 'POINT_NOT_FOUND') throw error;
  }
}
