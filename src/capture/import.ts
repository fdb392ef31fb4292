import type { JournalPorts } from '../journal/format/ports.ts';
import type { JournalReader } from '../journal/read/reader.ts';
import { Ben10Error, unlessRefused } from '../platform/errors.ts';
import type { Pause } from '../platform/pauses.ts';
import { cursors } from '../projections/folds/cursors.ts';
import { storeForHooks } from '../projections/hook-states.ts';
import type { States } from '../projections/states.ts';
import { JournalFacts } from './journal-facts.ts';
import { asOneReader } from './one-reader.ts';
import { reconcile } from './reconcile.ts';
import type { Reconciled } from './reconciliation.ts';
import type { Recorder } from './recorder.ts';
import { type FoundTranscript, findTranscripts, type TranscriptSource } from './transcripts.ts';

export interface ImportedTranscript extends TranscriptSource, Reconciled {}

export interface ImportOptions {
  ports: JournalPorts;
  reader: JournalReader;
  states: States;
  recorder: Recorder;
  /** Times without recording; an import brings what was said in them. */
  pauses?: readonly Pause[];
  /** Files and folders, absolute. */
  paths: readonly string[];
  /** Which of the transcripts to import; all by default. */
  isWanted?: (source: FoundTranscript) => boolean;
  /** Receives bytes done and bytes in all, over all files. */
  progress?: (done: number, all: number, path: string) => void;
}

/**
 * Facts after which the states are stored: a hook that comes during an import, or after one that was killed, has no
 * more than these to fold.
 */
const STORE_FACTS = 4000;

/** How long to wait for another reader of transcripts, milliseconds. */
const READER_WAIT_MS = 10_000;

/**
 * Imports transcripts of the past. Known facts are not appended again; facts lost by damage are. No other process
 * reads transcripts meanwhile, but waiting hooks get a turn.
 * @throws Node's ENOENT for a missing path, Ben10Error CONTEXT_LOCKED if another reader does not stop
 */
export function importTranscripts(options: ImportOptions): ImportedTranscript[] {
  const { ports, reader, progress } = options;
  const { isWanted = () => true } = options;
  const sources = options.paths.flatMap((path) => findTranscripts(ports.fs, path)).filter(isWanted);
  const sizes = sources.map(({ path }) => unlessRefused(() => ports.fs.stat(path).size, 0));
  const all = sizes.reduce((sum, size) => sum + size, 0);
  const imported: ImportedTranscript[] = [];
  const stored = new StoredStates(options.states);
  let next = 0;
  let done = 0;
  let before: Reconciled | undefined;
  const readSome = (isAwaited: () => boolean): true => {
    const importOne = importing(options);
    do {
      const source = sources[next]!;
      let known = 0;
      const result = importOne(source, isAwaited, (bytes, facts) => {
        stored.add(source.session, facts - known);
        known = facts;
        progress?.(done + bytes, all, source.path);
      });
      before = result && withEarlier(before, result);
      if (result?.complete === false) break;
      done += sizes[next]!;
      next += 1;
      progress?.(done, all, source.path);
      if (before !== undefined) imported.push({ ...source, ...before });
      before = undefined;
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
  stored.store();
  return imported;
}

/** Stores the states of the sessions that are read. */
class StoredStates {
  readonly #states: States;
  readonly #sessions = new Set<string>();
  #facts = 0;

  constructor(states: States) {
    this.#states = states;
  }

  add(session: string, facts: number): void {
    this.#sessions.add(session);
    this.#facts += facts;
    if (this.#facts >= STORE_FACTS) this.store();
  }

  store(): void {
    storeForHooks(this.#states, this.#sessions);
    this.#sessions.clear();
    this.#facts = 0;
  }
}

/** Imports one file after another, compared with the journal as it is now. A file may be left half read for others. */
function importing({ ports, reader, states, recorder, pauses = [] }: ImportOptions) {
  const journal = new JournalFacts(reader);
  const bySession = states.bySession(cursors);
  // Otherwise a file is read from its beginning each time.
  const canGoOn = pauses.length === 0 && !journal.isDamaged;
  return (
    source: TranscriptSource,
    isAwaited: () => boolean,
    progress: (bytes: number, facts: number) => void,
  ): Reconciled | undefined =>
    reconcile({
      ports,
      reader,
      recorder,
      cursors: bySession.get(source.session) ?? cursors.initial(),
      ...source,
      source: 'import',
      ...(canGoOn && { hasToStop: isAwaited }),
      journal,
      pauses,
      progress,
    });
}

/** Two readings of one file as one. */
function withEarlier(earlier: Reconciled | undefined, later: Reconciled): Reconciled {
  if (earlier === undefined) return later;
  const unknown = { ...earlier.unknown };
  for (const [type, times] of Object.entries(later.unknown))
    unknown[type] = (unknown[type] ?? 0) + times;
  return {
    added: earlier.added + later.added,
    enriched: earlier.enriched + later.enriched,
    records: earlier.records + later.records,
    malformed: earlier.malformed + later.malformed,
    unknown,
    complete: later.complete,
    from: earlier.from,
    to: later.to,
  };
}
