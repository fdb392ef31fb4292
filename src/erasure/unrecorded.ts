import { JournalFacts } from '../capture/journal-facts.ts';
import { asOneReader } from '../capture/one-reader.ts';
import { reconcile } from '../capture/reconcile.ts';
import { Recorder } from '../capture/recorder.ts';
import { Ben10Error, errno } from '../platform/errors.ts';
import type { Project } from '../project/open.ts';
import { cursors } from '../projections/folds/cursors.ts';
import { transcriptSources } from './transcripts.ts';

/**
 * What the client has written down and no hook has brought yet. An erasure that left it aside would be undone by the next
 * hook, which reads on where the last one stopped.
 */
export interface Unrecorded {
  /** Transcripts that have some of it. */
  transcripts: string[];
  /** New ones, and those of which a transcript knows more. */
  facts: number;
  /** Some of these facts hold what is looked for. Always false once they are recorded: then they are events. */
  holds: boolean;
  /** Transcripts that are there and cannot be read. */
  unreadable: string[];
  /** Transcripts whose end is being written: it is no whole record yet. */
  unfinished: string[];
}

/** How long another process that reads transcripts is waited for, milliseconds. */
const READER_WAIT_MS = 10_000;

/**
 * Records all of it, redacted as always, so that it is found like everything else. Nobody reads meanwhile, who would append behind the
 * erasure what he had read before it.
 * @throws Ben10Error CONTEXT_LOCKED when somebody does not stop reading, and as `Recorder.append`
 */
export function recordUnrecorded(project: Project): Unrecorded {
  const deadline = project.ports.clock.now() + READER_WAIT_MS;
  const read = () => readToEnd(project, project.recorder);
  const found = asOneReader(project, deadline, read);
  if (found !== undefined) return found;
  throw new Ben10Error('CONTEXT_LOCKED', 'another process is reading transcripts', {
    place: { file: project.layout.transcriptsLock },
    next: 'Wait until that is done, then try again.',
  });
}

/**
 * Looks what there is of it, and records nothing.
 * @param holds is asked about every event's payload and every text that would lie beside the journal
 */
export function findUnrecorded(project: Project, holds: (bytes: Buffer) => boolean): Unrecorded {
  let isHeld = false;
  const rehearsal = rehearsing(project, (bytes) => {
    isHeld ||= holds(bytes);
  });
  const found = readToEnd(project, rehearsal);
  return { ...found, holds: isHeld };
}

/** Makes the events that the project's own would make; what is to be kept is only heard of. */
function rehearsing(
  { ports, root, redaction, excludedBy }: Project,
  heard: (bytes: Buffer) => void,
): Recorder {
  return new Recorder({
    ports,
    root,
    redaction,
    excluded: excludedBy,
    client: 'claude-code',
    putBlob(bytes) {
      heard(bytes);
      return '';
    },
    writer: {
      append(events) {
        for (const { payload } of events) heard(payload);
        return { seqs: [], written: 0, spooled: true };
      },
      drain: () => false,
    },
  });
}

function readToEnd(project: Project, recorder: Recorder): Unrecorded {
  const sources = transcriptSources(project);
  const read: Unrecorded = {
    transcripts: [],
    facts: 0,
    holds: false,
    unreadable: [],
    unfinished: [],
  };
  if (sources.length === 0) return read;
  const { ports, reader, states } = project;
  const bySession = states.bySession(cursors);
  // One thread may have been read from several files: with every id at hand nothing is told twice.
  const journal = new JournalFacts(reader);
  for (const source of sources) {
    const known = bySession.get(source.session) ?? cursors.initial();
    const options = { ports, reader, recorder, cursors: known, journal, ...source } as const;
    const result = ifReadable(() => reconcile({ ...options, source: 'transcript' }));
    if (result === undefined) {
      read.unreadable.push(source.path);
      continue;
    }
    const facts = result.added + result.enriched;
    if (facts > 0) read.transcripts.push(source.path);
    read.facts += facts;
    const size = ifReadable(() => ports.fs.stat(source.path).size) ?? 0;
    if (size > result.to) read.unfinished.push(source.path);
  }
  return read;
}

/** What is wrong with a transcript is said; what is wrong with the journal ends everything. */
function ifReadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Ben10Error || errno(error) === undefined) throw error;
    return undefined;
  }
}
