import { readManifest } from '../journal/format/manifest.ts';
import { chainAt } from '../journal/read/chain-at.ts';
import type { JournalReader } from '../journal/read/reader.ts';
import { Ben10Error, errno } from '../platform/errors.ts';
import type { Project } from '../project/open.ts';
import { readEvents } from '../projections/events.ts';
import { Documents, INDEXED_TYPES, JOINED_EVENTS } from './documents.ts';
import { IndexFiles, type Run, runOf, START } from './files.ts';
import { IndexBuilder } from './index-build.ts';
import { mergeIndexes } from './index-merge.ts';
import { type IndexFile, openIndex } from './index-read.ts';
import { FILE_EVENTS_MAX, toMerge } from './places.ts';

/** A file of fewer events is not worth writing: they are read again. */
const LEAST_EVENTS = 256;
/** Of a first reading, so that what was done stays when it is interrupted. */
const RUN_EVENTS = 2048;
/** Read in one step. */
const STEP_EVENTS = 64;
/** A larger merge takes long, and is left to those who have time. */
const QUICK_MERGE_EVENTS = 32_768;

/** The index of a project's journal, kept up to its newest event. */
export class SearchIndex {
  /** Why it could not be written, for people; in memory it is whole all the same. */
  unwritten: string | undefined;
  readonly epoch: number;
  readonly #project: Pick<Project, 'ports' | 'layout' | 'decoders'>;
  readonly #reader: JournalReader;
  #origin = '';
  #disk: IndexFiles | undefined;
  #runs: readonly Run[] = [];
  #tail = new IndexBuilder();
  #tailFile: IndexFile | undefined;
  /** Undefined before the events that come before `upto` were read for it. */
  #documents: Documents | undefined;
  /** The newest event that was read. */
  #upto = 0;
  /** The journal's chain at an event that was read. */
  #known: { seq: number; chain: Buffer } = { seq: 0, chain: START };
  /** `JournalReader.refused` when the tail began. */
  #refused = 0;
  /** Rises when what was read behind the last run is dropped. */
  #generation = 0;

  /** @param epoch from before the reader was asked for */
  constructor({ ports, layout, decoders }: Project, reader: JournalReader, epoch: number) {
    this.#project = { ports, layout, decoders };
    this.#reader = reader;
    this.epoch = epoch;
  }

  get upto(): number {
    return this.#upto;
  }

  /** In the order of the journal, from its first event to `upto`. */
  files(): IndexFile[] {
    const files = this.#runs.map(({ file }) => file);
    if (this.#upto === this.#end) return files;
    this.#tailFile ??= this.#tailAs(START);
    return [...files, this.#tailFile];
  }

  /**
   * Brings it up to the journal's newest event, in short steps; others may do so at the same time.
   * @param isThorough also what takes longer and makes later searches quicker
   * @throws as `JournalReader.entries`
   */
  *steps(isThorough = false): Generator<void> {
    const origin = this.#reader.origin();
    if (origin === undefined) return;
    if (!this.#isOf(origin)) this.#begin(origin);
    const begun = this.#end;
    let isRead = false;
    while (!isRead) {
      isRead = yield* this.#read();
      if (isRead && this.#upto - this.#end >= LEAST_EVENTS) isRead = this.#freeze();
    }
    // After a long reading a merge adds little to the wait.
    const hasTime = isThorough || this.#end - begun > QUICK_MERGE_EVENTS;
    if (hasTime || this.unwritten !== undefined) this.#settle(hasTime);
    this.#remember(this.#upto);
  }

  /** The last event of the last run. */
  get #end(): number {
    return this.#runs.at(-1)?.lastSeq ?? 0;
  }

  #isOf(origin: string): boolean {
    if (this.#disk === undefined || this.#origin !== origin) return false;
    return this.#isChain(this.#known.seq, this.#known.chain);
  }

  #begin(origin: string): void {
    this.#origin = origin;
    this.#disk = new IndexFiles(this.#project, origin, this.epoch);
    this.#runs = [];
    this.#drop();
    this.#adopt();
  }

  /** Forgets what was read behind the runs. */
  #drop(): void {
    const { lastSeq = 0, file } = this.#runs.at(-1) ?? {};
    this.#tail = new IndexBuilder();
    this.#tailFile = undefined;
    this.#documents = undefined;
    this.#upto = lastSeq;
    this.#known = { seq: lastSeq, chain: file?.range.chainAt ?? START };
    this.#refused = this.#reader.refused;
    this.#generation += 1;
  }

  /** Takes over what others wrote, if it reaches at least as far as the runs here. */
  #adopt(): void {
    const end = this.#end;
    const runs = this.#disk!.runs(this.#runs, (seq, chain) => this.#isChain(seq, chain));
    if ((runs.at(-1)?.lastSeq ?? 0) < end) return;
    this.#runs = runs;
    if (this.#end !== end) this.#drop();
  }

  /** @returns false if it is to be read once more, because what was read so far was dropped */
  *#read(): Generator<void, boolean> {
    const generation = this.#generation;
    const { ports } = this.#project;
    let steps = 0;
    const passed = { seq: this.#upto };
    const asked = { from: this.#upto + 1, types: INDEXED_TYPES, passed };
    for (const event of readEvents(this.#reader, ports.xxh64, asked)) {
      if (this.#documents === undefined) yield* this.#prime(event.seq);
      if (this.#generation !== generation) return false;
      // Another reading took it between two steps.
      if (event.seq <= this.#upto) continue;
      const { document, mark } = this.#documents!.read(event);
      if (document !== undefined) this.#tail.add(document);
      if (mark !== undefined) this.#tail.mark(mark);
      this.#upto = event.seq;
      this.#tailFile = undefined;
      steps += 1;
      if (steps % STEP_EVENTS !== 0) continue;
      if (this.#upto - this.#end >= RUN_EVENTS) this.#freeze();
      yield;
    }
    if (this.#generation !== generation) return false;
    this.#upto = Math.max(this.#upto, passed.seq);
    return true;
  }

  /** Reads what the first event to index may refer to. */
  *#prime(seq: number): Generator<void> {
    const generation = this.#generation;
    const documents = new Documents();
    const range = { from: Math.max(1, seq - JOINED_EVENTS), to: this.#upto, types: INDEXED_TYPES };
    let steps = 0;
    for (const event of readEvents(this.#reader, this.#project.ports.xxh64, range)) {
      documents.know(event);
      steps += 1;
      if (steps % STEP_EVENTS === 0) yield;
    }
    if (this.#generation === generation) this.#documents ??= documents;
  }

  /**
   * Makes a run of what was read since the last one.
   * @returns false if another process was faster, and what is behind its files is to be read again
   */
  #freeze(): boolean {
    const generation = this.#generation;
    this.#adopt();
    if (this.#generation !== generation) return false;
    // Somebody replaced the journal: the next one to ask notices.
    if (!this.#remember(this.#upto)) return true;
    const isTorn = this.#reader.refused !== this.#refused;
    this.#runs = [...this.#runs, runOf(this.#tailAs(this.#known.chain), isTorn)];
    this.#tail = new IndexBuilder();
    this.#tailFile = undefined;
    this.#refused = this.#reader.refused;
    this.#settle(false);
    return true;
  }

  #tailAs(chainAt: Buffer): IndexFile {
    const range = {
      firstSeq: this.#end + 1,
      lastSeq: this.#upto,
      chainBefore: this.#runs.at(-1)?.file.range.chainAt ?? START,
      chainAt,
      erasureEpoch: this.epoch,
    };
    return this.#opened(this.#tail.finish(range));
  }

  #opened(bytes: Buffer): IndexFile {
    return openIndex(bytes, this.#project.ports.xxh64)!;
  }

  /** Makes fewer runs of many, and writes what is not on disk. */
  #settle(isThorough: boolean): void {
    const eventsMax = isThorough ? FILE_EVENTS_MAX : QUICK_MERGE_EVENTS;
    for (let at = toMerge(this.#runs, eventsMax); at; at = toMerge(this.#runs, eventsMax)) {
      const [from, to] = at;
      const merged = this.#runs.slice(from, to);
      const file = this.#opened(mergeIndexes(merged.map((run) => run.file)));
      const run = runOf(
        file,
        merged.some(({ isTorn }) => isTorn),
      );
      this.#runs = [...this.#runs.slice(0, from), run, ...this.#runs.slice(to)];
    }
    let why: string | undefined;
    try {
      why = this.#disk!.keep(this.#runs);
    } catch (error) {
      if (!(error instanceof Ben10Error) && errno(error) === undefined) throw error;
      why = (error as Error).message;
    }
    this.unwritten = why && `the search index cannot be written: ${why}`;
  }

  /** False if the chain there cannot be read. */
  #remember(seq: number): boolean {
    if (this.#known.seq === seq) return true;
    const chain = this.#chainAt(seq);
    if (chain !== undefined) this.#known = { seq, chain };
    return chain !== undefined;
  }

  #chainAt(seq: number): Buffer | undefined {
    const { ports, layout, decoders } = this.#project;
    return chainAt(ports, layout, seq, decoders, this.#reader.files);
  }

  #isChain(seq: number, chain: Buffer): boolean {
    return seq === 0 || this.#chainAt(seq)?.equals(chain) === true;
  }
}

const indexes = new WeakMap<JournalReader, SearchIndex>();

/** Of one reader always the same: it is forgotten with it when events were erased. */
export function indexOf(project: Project): SearchIndex {
  // Before the reader is asked for: what that knows is of this epoch or a later one.
  const epoch = readManifest(project.ports, project.layout)?.erasureEpoch ?? 0;
  const { reader } = project;
  const known = indexes.get(reader);
  if (known?.epoch === epoch) return known;
  const index = new SearchIndex(project, reader, epoch);
  indexes.set(reader, index);
  return index;
}
