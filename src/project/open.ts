import path from 'node:path';
import { Recorder } from '../capture/recorder.ts';
import { compileRedaction, type RedactionOptions, redactText } from '../capture/redaction/index.ts';
import type { JournalWriter } from '../journal/append/writer.ts';
import { WrittenEntries } from '../journal/append/written.ts';
import { type Layout, layoutOf } from '../journal/format/layout.ts';
import type { JournalPorts } from '../journal/format/ports.ts';
import type { JournalReader } from '../journal/read/reader.ts';
import { SupersedingReader } from '../journal/read/superseding-reader.ts';
import { systemClock } from '../platform/clock.ts';
import type { Codec, Decoders } from '../platform/codecs/codecs.ts';
import { lastUnpacked } from '../platform/codecs/last-unpacked.ts';
import { lz4Codec, unlz4 } from '../platform/codecs/lz4.ts';
import { unzstd } from '../platform/codecs/zstd-read.ts';
import type { Ben10Config } from '../platform/config/keys.ts';
import { Ben10Error } from '../platform/errors.ts';
import { EXCLUDED_BY_DEFAULT, excludedBy } from '../platform/exclude.ts';
import { nodeFs } from '../platform/fs.ts';
import { type FileLock, loadFileLock } from '../platform/lock.ts';
import { projectAbove } from '../platform/project-folder.ts';
import { systemRandom } from '../platform/random.ts';
import { readOnlyFs } from '../platform/read-only-fs.ts';
import { storageRoot } from '../platform/storage.ts';
import { type Hash64, xxh64 } from '../platform/xxh64.ts';
import { CheckpointStore, type Defer } from '../projections/checkpoints.ts';
import type { CheckpointRetention } from '../projections/retention.ts';
import { States } from '../projections/states.ts';
import { GuardedWriter } from './guarded-writer.ts';
import { sinceErasure } from './since-erasure.ts';
import { STORED } from './stored.ts';

/** A project's journal with everything that works on it, wired to the real machine. */
export interface Project {
  /** The project's folder. */
  dir: string;
  /** The folder that holds its journal: `.ben10`, unless the settings say another one. */
  root: string;
  layout: Layout;
  ports: JournalPorts;
  lz4: Codec;
  /** These three remember what they have read. They are others once something was erased: ask for them anew. */
  readonly decoders: Decoders;
  readonly reader: JournalReader;
  readonly states: States;
  /** Opened when it is first asked for: reading must work on a disk that cannot be written. */
  readonly writer: JournalWriter;
  readonly recorder: Recorder;
  /** By which pattern the content of a file is neither recorded nor compared; undefined when it is. */
  excludedBy(file: string): string | undefined;
  /** By which secrets are taken out before anything is kept. */
  readonly redaction: RedactionOptions;
  /** A text without secrets: for what is read from the disk and shown. */
  redact(text: string): string;
  /** From this size of `root` on, status warns. */
  maxStorageMb: number;
  /** The same of the compaction snapshots alone. */
  snapshotsMaxMb: number;
  close(): void;
}

export interface OpenOptions {
  /** How long an append may wait for the lock, milliseconds. */
  lockBudgetMs: number;
  /** The faster hash of a long process; the plain one by default. */
  hash?: Hash64;
  redaction?: Parameters<typeof compileRedaction>[0];
  segmentBytes?: number;
  /** Of files whose content is not recorded. */
  excludePatterns?: readonly string[];
  checkpoints?: { interval: number; retention: CheckpointRetention };
  maxStorageMb?: number;
  snapshotsMaxMb?: number;
  /** Where `BEN10_*` variables may override where the journal is. */
  env?: Readonly<Record<string, string | undefined>>;
  /** When to stop folding a long way, milliseconds since the epoch; what was reached is stored. */
  foldUntil?: number;
  /** As `StatesOptions` has it. */
  defer?: Defer;
  /** The session for which somebody waits: see `DueOptions`. */
  awaited?: string | undefined;
  /** For a process that reads soon what it appends, and ends soon: it holds that in memory. */
  remembersWritten?: boolean;
  /** For who examines the journal, and goes on past files that are not given: see `JournalPorts`. */
  refused?: Map<string, string>;
  /** Nothing of the journal's folder is changed: whatever would write fails as on a disk that can only be read. */
  readOnly?: boolean;
  /** Where the addon does not lie beside the running file, as in a checkout. */
  lock?: FileLock;
}

/** As the configuration has them. */
const MAX_STORAGE_MB = 100;
const SNAPSHOTS_MAX_MB = 500;

/** What of a configuration a project is opened with. */
export function optionsOf({ context, redaction, journal }: Ben10Config) {
  return {
    redaction: { ...redaction, builtin: context.sensitiveRedaction },
    segmentBytes: journal.segmentBytes,
    excludePatterns: context.excludePatterns,
    checkpoints: {
      interval: context.checkpointInterval,
      retention: { count: context.historyRetentionCount, days: context.checkpointRetentionDays },
    },
    maxStorageMb: context.maxStorageMb,
    snapshotsMaxMb: context.compactionSnapshots.maxStorageMb,
  } satisfies Partial<OpenOptions>;
}

/**
 * For what it has just written itself a process folds longer parts: that is in memory, and each part less is a stored state
 * less. A part of so many is a tenth of a second.
 */
const PART_EVENTS_WRITTEN = 4000;

/** What the CLI and the server wait for the lock; a hook waits 50 ms. */
export const LOCK_BUDGET_MS = 5000;

/** Undefined where this system has no prebuilt addon: then writers spool. */
export function systemLock(): FileLock | undefined {
  try {
    return loadFileLock(path.join(__dirname, 'addons'));
  } catch {
    return undefined; // `ben10 doctor` says so
  }
}

export function openProject(dir: string, options: OpenOptions): Project {
  const root = storageRoot(dir, options.env);
  const { checkpoints, excludePatterns = EXCLUDED_BY_DEFAULT } = options;
  const excluded = remembered((file) => excludedBy(excludePatterns, dir, file));
  const layout = layoutOf(root);
  const hash = options.hash ?? xxh64;
  const lock = options.lock ?? systemLock();
  const { refused } = options;
  const ports = {
    fs: options.readOnly === true ? readOnlyFs(nodeFs) : nodeFs,
    clock: systemClock,
    random: systemRandom,
    lock,
    xxh64: hash,
    refused,
    stored: STORED,
  };
  const memory = sinceErasure(ports, layout, (epoch) => {
    const decoders = { lz4: unlz4, zstd: lastUnpacked(unzstd) };
    const written = options.remembersWritten === true ? new WrittenEntries() : undefined;
    const reader = new SupersedingReader(ports, root, decoders, written);
    const store = new CheckpointStore(
      ports,
      layout,
      { lz4: lz4Codec, decoders },
      epoch,
      checkpoints?.retention,
      reader.files,
    );
    const states = new States(reader, hash, store, {
      onPart: stopAt(options.foldUntil),
      ...(options.remembersWritten === true && { partEvents: PART_EVENTS_WRITTEN }),
      checkpointInterval: checkpoints?.interval,
      awaited: options.awaited,
      defer: options.defer,
    });
    return { decoders, reader, states, written };
  });
  let writer: JournalWriter | undefined;
  let recorder: Recorder | undefined;
  let compiled: ReturnType<typeof compileRedaction> | undefined;
  const redaction = () => {
    compiled ??= compileRedaction(options.redaction);
    return compiled.options;
  };
  return {
    dir,
    root,
    layout,
    ports,
    lz4: lz4Codec,
    get decoders() {
      return memory().decoders;
    },
    get reader() {
      return memory().reader;
    },
    get states() {
      return memory().states;
    },
    get writer() {
      writer ??= new GuardedWriter(
        ports,
        root,
        { lz4: unlz4, zstd: unzstd },
        {
          lockBudgetMs: options.lockBudgetMs,
          onWritten: (written) => memory().written?.add(written),
          onHeld: () => memory().reader.lookAgain(),
          ...(options.segmentBytes === undefined ? {} : { segmentBytes: options.segmentBytes }),
        },
      );
      return writer;
    },
    get recorder() {
      recorder ??= new Recorder({
        ports,
        root,
        writer: this.writer,
        redaction: redaction(),
        excluded,
        client: 'claude-code',
      });
      return recorder;
    },
    excludedBy: excluded,
    get redaction() {
      return redaction();
    },
    redact: (text) => redactText(text, redaction()).text,
    maxStorageMb: options.maxStorageMb ?? MAX_STORAGE_MB,
    snapshotsMaxMb: options.snapshotsMaxMb ?? SNAPSHOTS_MAX_MB,
    close: () => writer?.close(),
  };
}

/** Files that are asked about again and again, as in a session that is read as a whole. */
const ASKED_MAX = 1000;

/** The same function, which knows what it was asked lately. */
function remembered<T>(answer: (file: string) => T): (file: string) => T {
  const known = new Map<string, T>();
  return (file) => {
    if (known.has(file)) return known.get(file)!;
    if (known.size >= ASKED_MAX) known.clear();
    const found = answer(file);
    known.set(file, found);
    return found;
  };
}

/** @throws Ben10Error STATES_BEHIND from that time on */
function stopAt(until: number | undefined): (() => void) | undefined {
  if (until === undefined) return undefined;
  return () => {
    if (systemClock.now() < until) return;
    throw new Ben10Error('STATES_BEHIND', 'the stored states are too far behind the journal', {
      next: 'The next hook goes on from where this one came; ben10 replay makes them at once.',
    });
  };
}

/**
 * The project that a command is about, as hooks find it; see `projectAbove`.
 * @throws Ben10Error CONTEXT_NOT_FOUND when there is none
 */
export function findProject(from: string): string {
  const found = projectAbove(path.resolve(from));
  if (found !== undefined) return found;
  throw new Ben10Error('CONTEXT_NOT_FOUND', `no ben10 journal in ${from} or a folder above it`, {
    place: { file: path.resolve(from) },
    next: 'Go to your project and run: ben10 init',
  });
}
