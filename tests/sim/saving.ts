import { Recorder } from '../../src/capture/recorder.ts';
import { compileRedaction } from '../../src/capture/redaction/index.ts';
import type { JournalWriter } from '../../src/journal/append/writer.ts';
import { layoutOf } from '../../src/journal/format/layout.ts';
import type { JournalPorts } from '../../src/journal/format/ports.ts';
import { SupersedingReader } from '../../src/journal/read/superseding-reader.ts';
import { lz4Codec } from '../../src/platform/codecs/lz4.ts';
import { Ben10Error } from '../../src/platform/errors.ts';
import type { Project } from '../../src/project/open.ts';
import { save } from '../../src/timetravel/saves.ts';
import { decoders, SIM_ROOT } from './process.ts';
import { statesOf } from './tally.ts';

const { options: redaction } = compileRedaction({});

/** The simulated project, as it is opened for a command. */
export function simProject(ports: JournalPorts, writer: JournalWriter): Project {
  return {
    dir: '/project',
    root: SIM_ROOT,
    layout: layoutOf(SIM_ROOT),
    ports,
    lz4: lz4Codec,
    decoders,
    reader: new SupersedingReader(ports, SIM_ROOT, decoders),
    states: statesOf(ports, true),
    writer,
    recorder: new Recorder({ ports, root: SIM_ROOT, writer, redaction, client: 'sim' }),
    redaction,
    excludedBy: () => undefined,
    redact: (text: string) => text,
    maxStorageMb: 100,
    snapshotsMaxMb: 500,
    close: () => undefined,
  };
}

/**
 * Saves the context of a session, as the server and the command line do.
 * @param recording is told of every event that is appended
 */
export function saveContext(
  ports: JournalPorts,
  recording: Pick<JournalWriter, 'append' | 'drain'>,
  session: string,
): void {
  const project = simProject(ports, recording as JournalWriter);
  try {
    save(project, { name: 'saved', session });
  } catch (error) {
    if (!(error instanceof Ben10Error) || error.code !== 'POINT_NOT_FOUND') throw error;
  }
}
