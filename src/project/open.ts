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
import type { Ben10Config, PackSettings, TrackerSettings } from '../platform/config/keys.ts';
import { Ben10Error } from '../platform/errors.ts';
import { EXCLUDED_BY_DEFAULT, excludedBy } from '../platform/exclude.ts';
import { nodeFs } from '../platform/fs.ts';
import { type FileLock, loadFileLock } from '../platform/lock.ts';
import { projectAbove } from '../platform/project-above.ts';
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

/** A project's journal, and everything that works on it. */
export interface Project {
  /** The project's folder. */
  dir: string;
  /** The journal's folder: `.ben10`, or context.storageLocation. */
  root: string;
  layout: Layout;
  ports: JournalPorts;
  lz4: Codec;
  /** These three cache what they read, and are replaced after an erasure: do not keep references. */
  readonly decoders: Decoders;
  readonly reader: JournalReader;
  readonly states: States;
  /** Opened on first use: reading must work on a read-only disk. */
  readonly writer: JournalWriter;
  readonly recorder: Recorder;
  /** The pattern in context.excludePatterns that matches a file. */
  excludedBy(file: string): string | undefined;
  readonly redaction: RedactionOptions;
  /** Redacts a text. */
  redact(text: string): string;
  /** Status warns if `root` is larger. */
  maxStorageMb: number;
  snapshotsMaxMb: number;
  packs: PackSettings;
  tracker: TrackerSettings;
  close(): void;
}

interface OpenOptions {
  /** How long an append waits for the lock, milliseconds. */
  lockBudgetMs: number;
  hash?: Hash64;
  redaction?: Parameters<typeof compileRedaction>[0];
  segmentBytes?: number;
  excludePatterns?: readonly string[];
  checkpoints?: { interval: number; retention: CheckpointRetention };
  maxStorageMb?: number;
  snapshotsMaxMb?: number;
  packs?: PackSettings;
  tracker?: TrackerSettings;
  env?: Readonly<Record<string, string | undefined>>;
  /** Deadline for folding, milliseconds since the epoch; the state reached by then is stored. */
  foldUntil?: number;
  /** As `StatesOptions` has it. */
  defer?: Defer;
  /** The session for which the client waits: see `DueOptions`. */
  awaited?: string | undefined;
  /** Keeps so many bytes of appended events in memory, for a process that reads them again at once. */
  rememberedBytes?: number;
  /** Collects unreadable files instead of failing: see `JournalPorts`. */
  refused?: Map<string, string>;
  /** Writes fail as on a read-only disk. */
  readOnly?: boolean;
  /** For tests, where the addon is not beside the running file. */
  lock?: FileLock | undefined;
}

/** Defaults of the settings. */
const MAX_STORAGE_MB = 100;
const SNAPSHOTS_MAX_MB = 500;
/** The defaults of `packs`. */
export const PACKS: PackSettings = {
  budgetTokens: 60_000,
  tokenizer: 'cl100k',
  keep: 20,
  keepDays: 30,
  maxStorageMb: 100,
  deny: [],
  commandTimeoutS: 60,
};

/** What is told nowhere. */
export const TRACKER: TrackerSettings = {
  kind: 'none',
  send: 'document',
  label: '',
  linear: { state: '' },
};

export function optionsOf({ context, redaction, journal, packs, tracker }: Ben10Config) {
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
    packs,
    tracker,
  } satisfies Partial<OpenOptions>;
}

/** Events per part when folding from memory, about a tenth of a second: fewer parts store fewer states. */
const PART_EVENTS_WRITTEN = 4000;

/** How long commands wait for the lock; a hook waits 50 ms. */
export const LOCK_BUDGET_MS = 5000;

/** Undefined without a prebuilt addon for this system: then events go to the inbox. */
export function systemLock(): FileLock | undefined {
  try {
    return loadFileLock(path.join(__dirname, 'addons'));
  } catch {
    return undefined; // `ben10 doctor` reports it
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
    const written =
      options.rememberedBytes === undefined
        ? undefined
        : new WrittenEntries(options.rememberedBytes);
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
      ...(options.rememberedBytes !== undefined && { partEvents: PART_EVENTS_WRITTEN }),
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
          ...(options.segmentBytes !== undefined && { segmentBytes: options.segmentBytes }),
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
    packs: options.packs ?? PACKS,
    tracker: options.tracker ?? TRACKER,
    close: () => writer?.close(),
  };
}

const ASKED_MAX = 1000;

/** Caches recent answers. */
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
      next: 'The next hook continues from here; ben10 replay does it now.',
    });
  };
}

/** The project of a folder; see `projectAbove`. @throws Ben10Error CONTEXT_NOT_FOUND */
export function findProject(from: string): string {
  const found = projectAbove(path.resolve(from));
  if (found !== undefined) return found;
  throw new Ben10Error('CONTEXT_NOT_FOUND', `no ben10 journal in ${from} or a folder above it`, {
    place: { file: path.resolve(from) },
    next: 'Go to your project and run: ben10 init',
  });
}
