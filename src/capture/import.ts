import type { JournalPorts } from '../journal/ports.ts';
import type { JournalReader } from '../journal/reader.ts';
import { errno } from '../platform/errors.ts';
import type { FileSystem } from '../platform/fs.ts';
import type { Pause } from '../platform/pauses.ts';
import { cursors } from '../projections/folds/cursors.ts';
import type { States } from '../projections/states.ts';
import { JournalFacts } from './journal-facts.ts';
import { reconcile } from './reconcile.ts';
import type { Reconciled } from './reconciliation.ts';
import type { Recorder } from './recorder.ts';
import { findTranscripts, type TranscriptSource } from './transcripts.ts';

export interface ImportedTranscript extends TranscriptSource, Reconciled {}

export interface ImportOptions {
  ports: JournalPorts;
  reader: JournalReader;
  states: States;
  recorder: Recorder;
  /** Of what a hook passed over. */
  pauses?: readonly Pause[];
  /** Files and folders, absolute. */
  paths: readonly string[];
  /** Hears of bytes done and bytes there are, over all files. */
  progress?: (done: number, all: number, path: string) => void;
}

/**
 * Imports transcripts of the past. What the journal knows already, from a hook, a transcript or an earlier import,
 * is not appended again; what damage to the journal took away is. The journal is looked at once, however many files
 * there are.
 * @throws Node's ENOENT for a path that is not there
 */
export function importTranscripts(options: ImportOptions): ImportedTranscript[] {
  const { ports, reader, recorder, states, progress } = options;
  const sources = options.paths.flatMap((path) => findTranscripts(ports.fs, path));
  const sizes = sources.map((source) => sizeOf(ports.fs, source.path));
  const all = sizes.reduce((sum, size) => sum + size, 0);
  const journal = new JournalFacts(reader);
  const bySession = states.bySession(cursors);
  const imported: ImportedTranscript[] = [];
  let done = 0;
  for (const [index, source] of sources.entries()) {
    const before = done;
    const result = reconcile({
      ports,
      reader,
      recorder,
      cursors: bySession.get(source.session) ?? cursors.initial(),
      ...source,
      source: 'import',
      journal,
      pauses: options.pauses ?? [],
      progress: (bytes) => progress?.(before + bytes, all, source.path),
    });
    done += sizes[index]!;
    progress?.(done, all, source.path);
    if (result !== undefined) imported.push({ ...source, ...result });
  }
  return imported;
}

/** Of a file that was removed since it was found: 0. */
function sizeOf(fs: FileSystem, path: string): number {
  try {
    return fs.stat(path).size;
  } catch (error) {
    if (errno(error) === undefined) throw error;
    return 0;
  }
}
