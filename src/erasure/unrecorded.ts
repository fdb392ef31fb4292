import { JournalFacts } from '../capture/journal-facts.ts';
import { asOneReader } from '../capture/one-reader.ts';
import { reconcile } from '../capture/reconcile.ts';
import { Recorder } from '../capture/recorder.ts';
import { Ben10Error, errno } from '../platform/errors.ts';
import type { Project } from '../project/open.ts';
import { cursors } from '../projections/folds/cursors.ts';
import { transcriptSources } from './transcripts.ts';

/** What only the client's transcripts have. The next hook would record it after the erasure. */
export interface Unrecorded {
  /** Transcripts that have some of it. */
  transcripts: string[];
  /** New facts, and facts of which a transcript knows more. */
  facts: number;
  /** Some of these facts hold it. False once they are recorded: then they are events. */
  holds: boolean;
  /** Transcripts that cannot be read. */
  unreadable: string[];
  /** Transcripts whose last record is incomplete. */
  unfinished: string[];
}

/** How long to wait for another reader of transcripts, milliseconds. */
const READER_WAIT_MS = 10_000;

/**
 * Records all of it, redacted as always. No other process reads meanwhile: it could append after the erasure what
 * it read before.
 * @throws Ben10Error CONTEXT_LOCKED if another reader does not stop, and as `Recorder.append`
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
 * Looks for it without recording.
 * @param holds is asked about every event's payload and every blob
 */
export function findUnrecorded(project: Project, holds: (bytes: Buffer) => boolean): Unrecorded {
  let isHeld = false;
  const rehearsal = rehearsing(project, (bytes) => {
    isHeld ||= holds(bytes);
  });
  const found = readToEnd(project, rehearsal);
  return { ...found, holds: isHeld };
}

/** Makes the events that the project would make; their bytes are only examined. */
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
  // A thread may have been read from several files: comparing every id counts nothing twice.
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

/** A transcript that fails is reported; a journal that fails ends the erasure. */
function ifReadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Ben10Error || errno(error) === undefined) throw error;
    return undefined;
  }
}
