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

interface ContextOptions {
  /** The project's folder. */
  dir: string;
  settings: Settings;
  log: Logger;
  hash: Hash64;
  touched(): void;
  /** Given in a worker process. */
  facts?(): ServerFacts;
}

/** What the profiles offer; a read-only server leaves out the tools that write. */
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
      // The setting context.storageLocation may have changed.
      if (project !== undefined && project.root !== storage()) {
        this.reopen();
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
        // The question that follows reports it.
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

/** Appends pending events, syncs and closes the journal. */
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
