import { factId, fact as names } from '../events/identity.ts';
import type { Source, TranscriptRead } from '../events/types.ts';
import type { JournalPorts } from '../journal/format/ports.ts';
import type { JournalReader } from '../journal/read/reader.ts';
import { isPaused, type Pause } from '../platform/pauses.ts';
import type { Cursor, CursorsState } from '../projections/folds/cursors.ts';
import { Branches } from './branches.ts';
import { flushBoundary } from './claude/compactions.ts';
import { QueuedPrompts } from './claude/queued-prompts.ts';
import { PromptCounts, type RecordContext, SideChains } from './claude/record-context.ts';
import { observeRecord } from './claude/records.ts';
import { BATCH_BYTES, FactBatch } from './fact-batch.ts';
import type { JournalFacts } from './journal-facts.ts';
import { HookFacts, type Standing } from './known.ts';
import { knownBetter } from './known-better.ts';
import { type Observation, observation } from './observation.ts';
import { RecordTally } from './record-tally.ts';
import type { Recorder } from './recorder.ts';
import { retractionsIn } from './retractions.ts';
import { SessionFacts } from './session-facts.ts';
import type { TranscriptFile, TranscriptLine } from './transcript-file.ts';

export interface ReconcileOptions {
  ports: JournalPorts;
  reader: JournalReader;
  recorder: Recorder;
  /** Of the session. */
  cursors: CursorsState;
  session: string;
  /** Null for the main thread. */
  agent: string | null;
  path: string;
  source: Extract<Source, 'transcript' | 'import'>;
  /** Asked after each batch. */
  hasToStop?: () => boolean;
  /** Stops after the batch that reaches so many bytes. */
  bytesMax?: number | undefined;
  /** Called after each batch with the bytes read and the facts found so far. */
  progress?: (bytes: number, facts: number) => void;
  /**
   * All ids of the journal, if known: several imports read it once. If it is damaged, the transcript is read from
   * its beginning, so that lost facts come back.
   */
  journal?: JournalFacts;
  /** The same by session, read on demand. */
  sessions?: SessionFacts;
  /** Times without recording: skipped, but for an import, which reads from the beginning for them. */
  pauses?: readonly Pause[];
}

export interface Reconciled {
  /** New facts. */
  added: number;
  /** Facts that a hook had reported, and that now have their place. */
  enriched: number;
  records: number;
  malformed: number;
  unknown: Record<string, number>;
  /** False if it had to stop early. */
  complete: boolean;
  from: number;
  to: number;
}

/** One reading of one transcript. */
export class Reconciliation {
  readonly #options: ReconcileOptions;
  readonly #file: TranscriptFile;
  readonly #cursor: Cursor | undefined;
  /** True if the journal may know more than hooks reported: then every id is looked up. */
  readonly #careful: boolean;
  readonly #byHooks: HookFacts;
  /** Facts of this reading, if `#journal` does not note them. */
  readonly #traced = new Set<string>();
  readonly #branches: Branches;
  readonly #context: RecordContext;
  readonly #batch: FactBatch;
  readonly #all = new RecordTally();
  readonly #result: Pick<Reconciled, 'added' | 'enriched' | 'complete' | 'from' | 'to'>;
  readonly #journal: JournalFacts | undefined;
  readonly #sessions: SessionFacts;
  /** Lines since the last append. */
  #tally = new RecordTally(this.#all);
  #batchFrom: number;
  #flushedAt: number;

  constructor(options: ReconcileOptions, file: TranscriptFile) {
    const { recorder, cursors, source, agent, journal } = options;
    this.#options = options;
    this.#file = file;
    this.#journal = journal;
    this.#sessions = options.sessions ?? new SessionFacts(options.reader);
    const threads = cursors.threads;
    const thread = agent ?? '';
    this.#cursor = Object.hasOwn(threads, thread) ? threads[thread] : undefined;
    const start = this.#startAt();
    const from = start ?? 0;
    const isKnown = source === 'import' || journal !== undefined;
    this.#careful = start === undefined || isKnown || this.#cursor!.overlapping;
    this.#byHooks = new HookFacts(cursors, (text) => recorder.kept(text));
    this.#branches = new Branches(file, from);
    this.#context = this.#contextAt(from);
    this.#batch = new FactBatch(recorder, source);
    this.#result = { added: 0, enriched: 0, complete: true, from, to: from };
    this.#batchFrom = from;
    this.#flushedAt = from;
  }

  /** The cursor, if the file is still the same and nothing that was read before is lost. */
  #startAt(): number | undefined {
    const cursor = this.#cursor;
    if (this.#journal?.isDamaged) return undefined;
    const { source, pauses = [] } = this.#options;
    if (source === 'import' && pauses.length > 0) return undefined;
    if (cursor === undefined || this.#file.size < cursor.to) return undefined;
    const tail = this.#file.tailBefore(cursor.to, this.#options.ports.xxh64);
    return tail === cursor.tail ? cursor.to : undefined;
  }

  #contextAt(from: number): RecordContext {
    const { session, agent, cursors } = this.#options;
    const prompts = new PromptCounts();
    if (from > 0 && this.#cursor?.running !== undefined) prompts.goOn(this.#cursor.running);
    const file = this.#file;
    function* earlier() {
      for (const { end, record } of file.lines(0, false)) {
        if (end > from) return;
        yield record;
      }
    }
    return {
      session,
      agent,
      sideChains: new SideChains(from > 0 ? earlier : undefined),
      queue: new QueuedPrompts(from > 0 ? earlier : undefined),
      boundary: undefined,
      prompts,
      latest: from > 0 ? (this.#cursor?.latest ?? null) : null,
      toolNames: new Map(cursors.ownCalls),
    };
  }

  run(): Reconciled {
    const { source, hasToStop, bytesMax = Number.POSITIVE_INFINITY } = this.#options;
    const isImport = source === 'import';
    for (const line of this.#file.lines(this.#result.from, isImport)) {
      if (line.isNone !== true) this.#take(line);
      // A boundary goes with its summary: the cursor never stands between the two.
      if (this.#context.boundary === undefined) this.#result.to = line.end;
      const isMost = line.end - this.#result.from >= bytesMax;
      if (!isMost && !this.#batch.isFull && line.end - this.#flushedAt < BATCH_BYTES) continue;
      const isLate = isMost || hasToStop?.() === true;
      this.#flush({ partial: true, always: isLate });
      if (!isLate) continue;
      this.#result.complete = false;
      break;
    }
    if (this.#result.complete) {
      if (isImport) for (const seen of flushBoundary(this.#context)) this.#add(seen);
      this.#flush({ partial: false, always: this.#batchFrom > this.#result.from });
    }
    return { ...this.#result, ...this.#all.counts() };
  }

  #take(line: TranscriptLine): void {
    const { record, pos } = line;
    const found = record && observeRecord(record, pos, this.#context);
    this.#tally.add(record, found !== undefined);
    for (const seen of found ?? []) {
      // Observed all the same: later names depend on it.
      if (!this.#isPassedOver(seen)) this.#add(this.#withRewind(seen));
    }
    this.#branches.add(line);
  }

  /** Whether it was said while `context.autoSave` was off. */
  #isPassedOver({ at }: Observation): boolean {
    const { source, pauses = [] } = this.#options;
    const when = at ?? this.#context.latest;
    return source === 'transcript' && when !== null && isPaused(pauses, when);
  }

  #withRewind(seen: Observation): Observation {
    const { goesOnFrom, trace } = seen;
    if (goesOnFrom === undefined || trace === undefined) return seen;
    const live = this.#branches.rewoundTo(goesOnFrom);
    return live === undefined ? seen : { ...seen, trace: { ...trace, rewoundTo: live } };
  }

  #add(seen: Observation): void {
    const factual = factId(seen.session, seen.fact ?? '');
    const id = factual.toString('hex');
    const standing = this.#standing(seen, id);
    if (standing.is === 'traced') return;
    if (this.#journal === undefined) this.#traced.add(id);
    else this.#journal.settle(id);
    if (standing.is === 'new') {
      this.#batch.addNew(seen, factual);
      this.#result.added += 1;
      if (seen.type === 'prompt.submitted')
        this.#retractAgain(seen as Observation<'prompt.submitted'>);
      return;
    }
    const { of } = standing;
    const more = knownBetter(seen, this.#byHooks.saysTheSame(seen, of));
    this.#byHooks.settle(of);
    this.#batch.addMore(seen, of, more);
    this.#result.enriched += 1;
  }

  /** Repeats retractions in a session that is read for the first time. */
  #retractAgain(prompt: Observation<'prompt.submitted'>): void {
    const known = (this.#journal ?? this.#sessions).retractions;
    if (known.length === 0) return;
    const text = this.#options.recorder.kept(prompt.data.text);
    const kept = { ...prompt, data: { ...prompt.data, text } };
    for (const retraction of retractionsIn(kept, known)) this.#add(retraction);
  }

  #standing(seen: Observation, id: string): Standing {
    if (this.#traced.has(id)) return { is: 'traced' };
    const isForeign = seen.session !== this.#options.session;
    if (this.#careful || isForeign) {
      const facts = this.#journal ?? this.#sessions.of(seen.session);
      const enriched = factId(seen.session, names.enriched(id)).toString('hex');
      if (facts.isTraced(id) || facts.isTraced(enriched)) return { is: 'traced' };
      if (facts.isReported(id)) return { is: 'untraced', of: id };
    }
    const of = isForeign ? undefined : this.#byHooks.find(seen, id);
    return of === undefined ? { is: 'new' } : { is: 'untraced', of };
  }

  /**
   * Appends the facts with the cursor after them.
   * @param always even if there is only the cursor
   */
  #flush({ partial, always }: { partial: boolean; always: boolean }): void {
    const { to } = this.#result;
    const isFar = !this.#careful && to - this.#batchFrom >= BATCH_BYTES;
    if (!this.#batch.isEmpty || isFar || always) {
      const raced = this.#batch.append(this.#cursorEvent(partial));
      this.#result.added -= raced;
      this.#result.enriched += raced;
      this.#batchFrom = to;
      this.#tally = new RecordTally(this.#all);
    }
    this.#flushedAt = to;
    const { added, enriched } = this.#result;
    this.#options.progress?.(to, added + enriched);
  }

  #cursorEvent(partial: boolean): Observation<'transcript.read'> {
    const { ports, session, agent } = this.#options;
    const { to } = this.#result;
    const { latest, prompts } = this.#context;
    const running = prompts.state();
    const isOther = this.#cursor !== undefined && this.#cursor.path !== this.#file.path;
    const data: TranscriptRead = {
      path: this.#file.path,
      from: this.#batchFrom,
      to,
      tail: this.#file.tailBefore(to, ports.xxh64),
      ...this.#tally.counts(),
      ...(partial && { partial }),
      ...(this.#careful && (partial || isOther) && { overlapping: true }),
      ...(latest !== null && { latest }),
      ...(running !== undefined && { running }),
    };
    const where = { session, agent, at: ports.clock.now() };
    return observation('transcript.read', null, where, data);
  }
}
