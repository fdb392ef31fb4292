import type { Recorder } from '../capture/recorder.ts';
import { GroupCommit } from '../journal/append/group-commit.ts';
import type { Logger } from '../platform/logger.ts';
import { storageFinder } from '../platform/storage.ts';
import type { Hash64 } from '../platform/xxh64.ts';
import { openProject, optionsOf, type Project } from '../project/open.ts';
import { sinceErasure } from '../project/since-erasure.ts';
import { Afterwards } from './afterwards.ts';
import type { ServerContext, ServerFacts } from './context.ts';
import { LOCK_BUDGET_MS } from './limits.ts';
import type { Offer } from './offer.ts';
import { offerOf } from './profiles.ts';
import type { Settings } from './settings.ts';
import { Timing } from './timing.ts';
import type { Tool } from './tool.ts';

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
