import type { JournalPorts } from '../journal/ports.ts';
import type { JournalReader } from '../journal/reader.ts';
import { cursors } from '../projections/folds/cursors.ts';
import type { States } from '../projections/states.ts';
import { type Reconciled, reconcile } from './reconcile.ts';
import type { Recorder } from './recorder.ts';
import { findTranscripts, type TranscriptSource } from './transcripts.ts';

export interface ImportedTranscript extends TranscriptSource, Reconciled {}

export interface ImportOptions {
  ports: JournalPorts;
  reader: JournalReader;
  states: States;
  recorder: Recorder;
  /** Files and folders, absolute. */
  paths: readonly string[];
  /** Hears of bytes done and bytes there are, over all files. */
  progress?: (done: number, all: number, path: string) => void;
}

/**
 * Imports transcripts of the past. What the journal knows already, from a hook, a transcript or an earlier import,
 * is not appended again.
 * @throws Node's ENOENT for a path that is not there
 */
export function importTranscripts(options: ImportOptions): ImportedTranscript[] {
  const { ports, reader, recorder, states, progress } = options;
  const sources = options.paths.flatMap((path) => findTranscripts(ports.fs, path));
  const sizes = sources.map((source) => ports.fs.stat(source.path).size);
  const all = sizes.reduce((sum, size) => sum + size, 0);
  let before = 0;
  const imported: ImportedTranscript[] = [];
  for (const [index, source] of sources.entries()) {
    const done = before;
    const state = states.at(cursors, source.session).state;
    const result = reconcile({
      ports,
      reader,
      recorder,
      cursors: state,
      ...source,
      source: 'import',
      progress: (bytes) => progress?.(done + bytes, all, source.path),
    });
    before += sizes[index]!;
    progress?.(before, all, source.path);
    if (result !== undefined) imported.push({ ...source, ...result });
  }
  return imported;
}
