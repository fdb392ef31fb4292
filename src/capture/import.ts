import type { JournalPorts } from '../journal/format/ports.ts';
import type { JournalReader } from '../journal/read/reader.ts';
import { Ben10Error, unlessRefused } from '../platform/errors.ts';
import type { Pause } from '../platform/pauses.ts';
import { cursors } from '../projections/folds/cursors.ts';
import type { States } from '../projections/states.ts';
import { JournalFacts } from './journal-facts.ts';
import { asOneReader } from './one-reader.ts';
import { reconcile } from './reconcile.ts';
import type { Reconciled } from './reconciliation.ts';
import type { Recorder } from './recorder.ts';
import { findTranscripts, type TranscriptSource } from './transcripts.ts';

export interface ImportedTranscript extends TranscriptSource, Reconciled {}

interface ImportOptions {
  ports: JournalPorts;
  reader: JournalReader;
  states: States;
  recorder: Recorder;
  /** Times without recording; an import brings what was said in them. */
  pauses?: readonly Pause[];
  /** Files and folders, absolute. */
  paths: readonly string[];
  /** Receives bytes done and bytes in all, over all files. */
  progress?: (done: number, all: number, path: string) => void;
}

/** How long to wait for another reader of transcripts, milliseconds. */
const READER_WAIT_MS = 10_000;

/**
 * Imports transcripts of the past. Known facts are not appended again; facts lost by damage are. No other process
 * reads transcripts meanwhile, but waiting hooks get a turn between two files.
 * @throws Node's ENOENT for a missing path, Ben10Error CONTEXT_LOCKED if another reader does not stop
 */
export function importTranscripts(options: ImportOptions): ImportedTranscript[] {
  const { ports, reader, progress } = options;
  const sources = options.paths.flatMap((path) => findTranscripts(ports.fs, path));
  const sizes = sources.map(({ path }) => unlessRefused(() => ports.fs.stat(path).size, 0));
  const all = sizes.reduce((sum, size) => sum + size, 0);
  const imported: ImportedTranscript[] = [];
  let next = 0;
  let done = 0;
  const readSome = (isAwaited: () => boolean): true => {
    const importOne = importing(options);
    do {
      const source = sources[next]!;
      const result = importOne(source, (bytes) => progress?.(done + bytes, all, source.path));
      done += sizes[next]!;
      next += 1;
      progress?.(done, all, source.path);
      if (result !== undefined) imported.push({ ...source, ...result });
    } while (next < sources.length && !isAwaited());
    return true;
  };
  while (next < sources.length) {
    const deadline = ports.clock.now() + READER_WAIT_MS;
    if (asOneReader({ ports, reader }, deadline, readSome)) continue;
    throw new Ben10Error('CONTEXT_LOCKED', 'another process is reading transcripts', {
      place: { file: reader.layout.transcriptsLock },
      next: 'Wait until that is done, then run the same again: what is imported already stays so.',
    });
  }
  return imported;
}

/** Imports one file after another, compared with the journal as it is now. */
function importing({ ports, reader, states, recorder, pauses = [] }: ImportOptions) {
  const journal = new JournalFacts(reader);
  const bySession = states.bySession(cursors);
  return (source: TranscriptSource, progress: (bytes: number) => void): Reconciled | undefined =>
    reconcile({
      ports,
      reader,
      recorder,
      cursors: bySession.get(source.session) ?? cursors.initial(),
      ...source,
      source: 'import',
      journal,
      pauses,
      progress,
    });
}
