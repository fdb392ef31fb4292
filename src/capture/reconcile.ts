import type {
  CompactionFinished,
  PromptSubmitted,
  Source,
  ToolFailed,
  TranscriptRead,
} from '../events/types.ts';
import type { NewEvent } from '../journal/inbox.ts';
import type { JournalPorts } from '../journal/ports.ts';
import type { JournalReader } from '../journal/reader.ts';
import { type CursorsState, type Seen, textMark } from '../projections/folds/cursors.ts';
import { flushBoundary, observeRecord, type RecordContext } from './claude/records.ts';
import { type KnownFacts, KnownFromHooks, KnownFromJournal } from './known.ts';
import { type Observation, observation } from './observation.ts';
import type { Recorder } from './recorder.ts';
import { rewoundTo } from './rewind.ts';
import { TranscriptFile } from './transcript-file.ts';

export interface ReconcileOptions {
  ports: JournalPorts;
  reader: JournalReader;
  recorder: Recorder;
  cursors: CursorsState;
  session: string;
  /** Null for the main thread. */
  agent: string | null;
  path: string;
  source: Extract<Source, 'transcript' | 'import'>;
  /** Stop behind the batch in which this time is reached, milliseconds since the epoch. */
  deadline?: number;
  progress?: (bytes: number) => void;
}

export interface Reconciled {
  /** Facts that nobody had told yet. */
  added: number;
  /** Facts that a hook had told, and that now have their place. */
  enriched: number;
  records: number;
  malformed: number;
  unknown: Record<string, number>;
  /** False when the deadline came first. */
  complete: boolean;
  from: number;
  to: number;
}

/** Events in one append: bounds what a crash repeats, and how long the lock is held. */
const BATCH_EVENTS = 256;
const BATCH_BYTES = 4 * 1024 * 1024;

/**
 * Reads a transcript from where it was last left and appends whatever no hook delivered. Records that cannot be
 * parsed, or are not known, are counted and passed over: the format is the client's own and changes.
 * @returns undefined when there is no such transcript
 * @throws Ben10Error when the journal cannot be written
 */
export function reconcile(options: ReconcileOptions): Reconciled | undefined {
  const file = TranscriptFile.open(options.ports.fs, options.path);
  if (file === undefined) return undefined;
  try {
    return new Reconciliation(options, file).run();
  } finally {
    file.close();
  }
}

class Reconciliation {
  readonly #options: ReconcileOptions;
  readonly #file: TranscriptFile;
  readonly #known: KnownFacts;
  readonly #context: RecordContext;
  readonly #result: Reconciled;
  #batch: NewEvent[] = [];
  #batchBytes = 0;
  #batchFrom: number;
  /** Counts of the batch. */
  #read = { records: 0, malformed: 0, unknown: {} as Record<string, number> };

  constructor(options: ReconcileOptions, file: TranscriptFile) {
    this.#options = options;
    this.#file = file;
    const from = this.#startAt();
    this.#known =
      from === undefined || options.source === 'import'
        ? new KnownFromJournal(options.reader, options.cursors)
        : new KnownFromHooks(options.cursors);
    const counts = { added: 0, enriched: 0, records: 0, malformed: 0, unknown: {} };
    this.#result = { ...counts, complete: true, from: from ?? 0, to: from ?? 0 };
    this.#batchFrom = from ?? 0;
    this.#context = {
      session: options.session,
      agent: options.agent,
      sidechains: new Map(),
      boundary: undefined,
      ordinals: from === undefined ? new Map() : ordinalsOf(options.cursors),
      promptId: from === undefined ? undefined : options.cursors.lastPromptId || undefined,
      toolNames: new Map(),
    };
  }

  /** The cursor, if the file still is the one that it was left in. */
  #startAt(): number | undefined {
    const cursor = this.#options.cursors.threads[this.#options.agent ?? ''];
    if (cursor === undefined || this.#file.size < cursor.to) return undefined;
    const tail = this.#file.tailBefore(cursor.to, this.#options.ports.xxh64);
    return tail === cursor.tail ? cursor.to : undefined;
  }

  run(): Reconciled {
    const { source, deadline, ports } = this.#options;
    for (const line of this.#file.lines(this.#result.from, source === 'import')) {
      this.#take(line.record, line.pos);
      // A boundary goes with the summary that follows it: the cursor never stands between the two.
      if (this.#context.boundary === undefined) this.#result.to = line.end;
      if (this.#batch.length >= BATCH_EVENTS || this.#batchBytes >= BATCH_BYTES) {
        this.#flush();
        if (deadline !== undefined && ports.clock.now() >= deadline) {
          this.#result.complete = false;
          return this.#result;
        }
      }
    }
    if (source === 'import') {
      for (const seen of flushBoundary(this.#context)) this.#add(seen);
      this.#result.to = Math.max(this.#result.to, this.#file.size);
    }
    this.#flush();
    return this.#result;
  }

  #take(record: Record<string, unknown> | undefined, pos: number): void {
    if (record === undefined) {
      this.#read.malformed += 1;
      return;
    }
    this.#read.records += 1;
    const found = observeRecord(record, pos, this.#context);
    if (found === 'unknown') {
      const type = typeof record.type === 'string' ? record.type.slice(0, 60) : '(none)';
      const { unknown } = this.#read;
      const key = type === '__proto__' ? '(none)' : type;
      unknown[key] = (unknown[key] ?? 0) + 1;
    } else if (found !== 'known') {
      for (const seen of found) this.#add(this.#withRewind(seen, record, pos));
    }
  }

  #withRewind(seen: Observation, record: Record<string, unknown>, pos: number): Observation {
    const parent = record.parentUuid;
    if (
      seen.type !== 'prompt.submitted' ||
      typeof parent !== 'string' ||
      seen.trace === undefined
    ) {
      return seen;
    }
    const live = rewoundTo(this.#file, pos, parent);
    return live === undefined ? seen : { ...seen, trace: { ...seen.trace, rewoundTo: live } };
  }

  #add(seen: Observation): void {
    const standing = this.#known.standing(seen);
    if (standing.is === 'traced') return;
    this.#known.settle(seen);
    const { recorder, source } = this.#options;
    let event: NewEvent;
    if (standing.is === 'new') {
      event = recorder.event(seen, source);
      this.#result.added += 1;
    } else {
      event = recorder.enrichment(
        seen,
        standing.of,
        knownBetter(seen, standing.of, this.#options.cursors),
        source,
      );
      this.#result.enriched += 1;
    }
    this.#batch.push(event);
    this.#batchBytes += event.payload.length;
  }

  /** Appends the batch together with the cursor behind it: both or none. */
  #flush(): void {
    const { to } = this.#result;
    if (to === this.#batchFrom && this.#batch.length === 0) return;
    const { ports, recorder, session, agent, source, progress } = this.#options;
    const data: TranscriptRead = {
      path: this.#file.path,
      from: this.#batchFrom,
      to,
      tail: this.#file.tailBefore(to, ports.xxh64),
      ...this.#read,
    };
    const where = { session, agent, at: ports.clock.now() };
    // Nothing but bookkeeping was read: the cursor may as well stay where it was.
    const worth = this.#batch.length > 0 || to - this.#batchFrom > BATCH_BYTES;
    if (worth) {
      recorder.append([
        ...this.#batch,
        recorder.event(observation('transcript.read', null, where, data), source),
      ]);
      this.#batchFrom = to;
    }
    this.#result.records += this.#read.records;
    this.#result.malformed += this.#read.malformed;
    for (const [type, count] of Object.entries(this.#read.unknown)) {
      this.#result.unknown[type] = (this.#result.unknown[type] ?? 0) + count;
    }
    this.#read = { records: 0, malformed: 0, unknown: {} };
    this.#batch = [];
    this.#batchBytes = 0;
    progress?.(to);
  }
}

/** How many prompts and compactions of each prompt id transcripts have told so far. */
function ordinalsOf(state: CursorsState): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (kind: string, list: readonly Seen[]) => {
    for (const { traced, promptId } of list) {
      if (traced) counts.set(`${kind}:${promptId}`, (counts.get(`${kind}:${promptId}`) ?? 0) + 1);
    }
  };
  add('prompt', state.prompts);
  add('compaction', state.compactions);
  return counts;
}

/** Clients cut long errors in the middle before they hand them to hooks. */
const HOOK_ERROR_CHARS = 9_000;

/** Fields that the transcript has better than the hook: they replace what was recorded. */
function knownBetter(seen: Observation, of: string, state: CursorsState): Record<string, unknown> {
  if (seen.type === 'prompt.submitted') {
    // A hook that was lost can have left its name to the next prompt with the same id.
    const { text } = seen.data as PromptSubmitted;
    const mark = state.prompts.find((one) => one.id === of)?.hookMark;
    return mark === textMark(text) ? {} : { text };
  }
  if (seen.type === 'compaction.finished') {
    const { summary, preTokens, postTokens } = seen.data as CompactionFinished;
    const sizes = {
      ...(preTokens !== undefined && { preTokens }),
      ...(postTokens !== undefined && { postTokens }),
    };
    return summary === '' ? sizes : { summary, ...sizes };
  }
  if (seen.type === 'tool.failed') {
    const { error } = seen.data as ToolFailed;
    return error.length >= HOOK_ERROR_CHARS ? { error } : {};
  }
  return {};
}
