import type { Recorder } from '../capture/recorder.ts';
import { GroupCommit } from '../journal/append/group-commit.ts';
import type { Logger } from '../platform/logger.ts';
import { storageFinder } from '../platform/storage.ts';
import type { Hash64 } from '../platform/xxh64.ts';
import { openProject, optionsOf, type Project } from '../project/open.ts';
import { sinceErasure } from '../project/since-erasure.ts';
import { Afterwards } from './afterwards.ts';
import { LOCK_BUDGET_MS } from './limits.ts';
import { type Offer, offerOf } from './profiles.ts';
import type { Settings } from './settings.ts';
import { Timing, type TimingSummary } from './timing.ts';
import type { Tool } from './tool.ts';

/** What became of the events that hooks brought. */
export type RecordOutcome =
  /** In the journal. */
  | 'recorded'
  /** In the inbox: the journal's lock was not to be had in time. */
  | 'spooled'
  /** Noise, input that says no event, or a fact that is known already. */
  | 'ignored'
  /** Neither journal nor inbox could be written. */
  | 'failed';

/** What a server counts of itself. */
export interface ServerCounts {
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly recordCounts: Record<RecordOutcome, number>;
  /** True from the first event that could not be written until one was. */
  readOnly: boolean;
}

/** What a running server says of itself. */
export interface ServerFacts {
  /** The process that the client started. */
  pid: number;
  /** As in `ServerCounts`. */
  startedAt: number;
  readOnly: boolean;
  events: Record<RecordOutcome, number>;
  recordMs: TimingSummary;
}

/** What the tools of one running server share. */
export interface ServerContext extends ServerCounts {
  /** The journal's project, opened when first asked for. */
  readonly project: Project;
  /** The project's; throws where the journal cannot be written. */
  readonly recorder: Recorder;
  readonly settings: Settings;
  /** What a client is told of and may ask for. */
  readonly offer: Offer;
  readonly log: Logger;
  /** Of the server, also in the process that answers for it. */
  facts(): ServerFacts;
  readonly recordTimes: Timing;
  /** True when this server appended anything. */
  readonly hasAppended: boolean;
  /** What hooks bring at the same time is appended together. Whoever reads the journal flushes it first. */
  readonly group: GroupCommit;
  /** Of what was found for an answer, what is stored behind it. */
  readonly afterwards: Afterwards;
  /** To be called after an append: has the journal synced within a second. */
  touched(): void;
  /** Lets go of the journal; the next use opens it again, as it is on disk then. */
  reopen(): void;
  /** From here on `hasErased` knows of what is erased. Where the journal cannot be opened, nothing is read of it. */
  watchErasures(): void;
  /** Whether events were erased since this was last asked: what was read before may hold them. */
  hasErased(): boolean;
}

export interface ContextOptions {
  /** The project's folder. */
  dir: string;
  settings: Settings;
  log: Logger;
  hash: Hash64;
  touched(): void;
  /** Of the server that this is not; by default its own. */
  facts?(): ServerFacts;
}

/** By its profiles; of a server that may only read, without the tools that are there to write. */
function offered({ config, isReadOnly }: Settings): Offer {
  const offer = offerOf(config.mcp.profile);
  if (!isReadOnly) return offer;
  const reads = (tool: Tool) => tool.annotations.readOnlyHint || tool.writesNotesOnly === true;
  return { ...offer, tools: offer.tools.filter(reads) };
}

export function createContext(options: ContextOptions): ServerContext {
  const { dir, settings, log, hash, touched, facts } = options;
  const storage = storageFinder(dir);
  let project: Project | undefined;
  let recorder: Recorder | undefined;
  let hasAppended = false;
  let epochNow: (() => number) | undefined;
  let epoch = 0;
  const ownFacts = (): ServerFacts => {
    const { startedAt, readOnly, recordCounts, recordTimes } = context;
    const events = { ...recordCounts };
    return { pid: process.pid, startedAt, readOnly, events, recordMs: recordTimes.summary() };
  };
  const afterwards = new Afterwards();
  const context: ServerContext = {
    get recorder() {
      const { project: current } = this;
      recorder ??= current.recorder;
      return recorder;
    },
    get project() {
      // Hooks write to where the settings say now, and so does who lives longer than they hold.
      if (project !== undefined && project.root !== storage()) {
        this.reopen();
        // Erasures are told of in the folder that is used from here on.
        epochNow = undefined;
      }
      project ??= openProject(dir, {
        ...optionsOf(settings.config),
        readOnly: settings.isReadOnly,
        lockBudgetMs: LOCK_BUDGET_MS,
        hash,
        defer: (task) => afterwards.add(task),
      });
      if (epochNow === undefined) {
        epochNow = sinceErasure(project.ports, project.layout, (found) => found);
        epoch = epochNow();
      }
      return project;
    },
    settings,
    offer: offered(settings),
    log,
    facts: facts ?? ownFacts,
    afterwards,
    startedAt: Date.now(),
    group: new GroupCommit((events) => {
      const appended = context.recorder.append(events);
      context.touched();
      return appended;
    }),
    recordTimes: new Timing(),
    recordCounts: { recorded: 0, spooled: 0, ignored: 0, failed: 0 },
    readOnly: false,
    get hasAppended() {
      return hasAppended;
    },
    touched() {
      hasAppended = true;
      touched();
    },
    reopen() {
      project?.close();
      project = undefined;
      recorder = undefined;
    },
    watchErasures() {
      try {
        void this.project;
      } catch {
        // Who asks is told why.
      }
    },
    hasErased() {
      const before = epoch;
      epoch = epochNow?.() ?? before;
      return epoch !== before;
    },
  };
  return context;
}

/** Appends what waits, syncs what was appended and lets go of the journal. What cannot be synced is said. */
export function endJournal(context: ServerContext): void {
  const { log, group } = context;
  try {
    group.flush();
    const { project, hasAppended } = context;
    if (hasAppended) project.writer.syncIfDue();
    project.close();
  } catch (error) {
    log.warn(`the journal could not be synced: ${(error as Error).message}`);
  }
}
