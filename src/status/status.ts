import { listInbox } from '../journal/append/inbox.ts';
import { isMisplaced } from '../journal/append/misplaced-manifest.ts';
import type { SegmentFile } from '../journal/format/layout.ts';
import { readManifest } from '../journal/format/manifest.ts';
import {
  type MissingEvents,
  type SegmentSummary,
  segmentSummaryOf,
} from '../journal/read/segment-summary.ts';
import { recordedLosses } from '../journal/verify/gaps.ts';
import { BRING_BACK, isTakenAway, TAKEN_AWAY } from '../journal/verify/taken-away.ts';
import { Ben10Error, errno } from '../platform/errors.ts';
import type { StatusPart } from '../project/doors.ts';
import type { Project } from '../project/open.ts';
import { CheckpointStore } from '../projections/checkpoints.ts';
import type { InjectedState } from '../projections/folds/injected.ts';
import { damagedEvents } from './damaged.ts';
import { type CutOffInfo, FACTS_VERSION, type Facts, factsOf } from './facts.ts';
import { type KnownFolder, KnownFolders } from './known-folders.ts';
import { runningServers } from './servers.ts';
import { undoneWarnings } from './slow-hooks.ts';
import { sizesIn } from './storage.ts';
import { type CheckpointInfo, type ReadStates, storedStates } from './stored-states.ts';
import { UNCHANGED, Unchanged } from './unchanged.ts';
import {
  lostWarnings,
  missingWarnings,
  sizeWarnings,
  strangerWarnings,
  takenIn,
  warningsOf,
} from './warnings.ts';

export interface ContextStatus {
  /** False if nothing was recorded here yet. */
  exists: boolean;
  /** The project's folder. */
  directory: string;
  /** When a state was last stored, whole milliseconds since the epoch. */
  lastSaved: number | null;
  sessionCount: number;
  /** This and the next three are of the last active session. */
  messageCount: number;
  /** In its context, as the client last reported it, else estimated. */
  tokenCount: number;
  trackedFiles: number;
  /** Newest first. */
  checkpoints: CheckpointInfo[];
  /** The session before the last active one, if it was killed or is still open elsewhere. */
  cutOff: CutOffInfo | null;
  storageSize: number;
  /** The project's running MCP servers. */
  servers: number;
  health: 'good' | 'warning' | 'error';
  warnings: string[];
  journal: {
    events: number;
    segments: number;
    bytes: number;
    lastSeq: number;
    /** Appends in the inbox. */
    inbox: number;
  };
  cost: {
    bytes: number;
    /** Given to the agent by hooks, in all sessions. */
    injectedChars: number;
    /** Estimated. */
    injectedTokens: number;
    /** See `HookTimes`. */
    hookCalls: number;
    /** Median, whole milliseconds. */
    hookMs: number | null;
    hookP95Ms: number | null;
    /** Hooks that took over a second from their process's start to its end. */
    slowHooks: number;
    slowest: InjectedState['slowest'];
  };
}

/** As in `estimateTokens`. */
const CHARS_PER_TOKEN = 3.1;

/** Works on a read-only disk and without a journal. */
export function status(project: Project, parts: readonly StatusPart[] = []): ContextStatus {
  try {
    const segments = project.reader.segments();
    return statusOf(project, parts, segments, warningsOf(project, segments));
  } catch (error) {
    if (!(error instanceof Ben10Error) && errno(error) === undefined) throw error;
    const { message } = error as Error;
    const next = error instanceof Ben10Error ? error.next : undefined;
    const warning = next === undefined ? message : `${message}. ${next}`;
    return { ...unknown(project), health: 'error', warnings: [warning] };
  }
}

/** Cached for the next call. */
interface Found extends Facts {
  read: ReadStates;
  folders: KnownFolder[];
}

function statusOf(
  project: Project,
  parts: readonly StatusPart[],
  segments: readonly SegmentFile[],
  others: string[],
): ContextStatus {
  const { ports, root, layout, reader, states, lz4, decoders } = project;
  const { refused } = reader;
  const epoch = readManifest(ports, layout)?.erasureEpoch ?? 0;
  const store = new CheckpointStore(ports, layout, { lz4, decoders }, epoch);
  const unchanged = new Unchanged<Found>(ports, store, segments, FACTS_VERSION);
  const segmentSummary = segmentSummaryOf(ports, reader, unchanged.knownWhole);
  const inbox = listInbox(ports, layout).length;
  if (segmentSummary.lastSeq === 0 && segmentSummary.missing.length === 0 && inbox === 0) {
    const manifest = readManifest(ports, layout);
    const isNew = manifest === undefined || !isMisplaced(ports, layout, manifest);
    return { ...unknown(project), warnings: isNew ? [...others, nothingYet(project)] : others };
  }
  const known = unchanged.found;
  const facts = known ?? factsOf(project, store);
  const read = storedStates(store, states, facts.session, unchanged.before?.read ?? []);
  const damaged = known ? [] : damagedEvents(project, segmentSummary, unchanged.bytes, store);
  const missing = [...segmentSummary.missing, ...damaged];
  const lost = known ? undefined : states.lost();
  const { strangers } = segmentSummary;
  const isWell =
    isWhole(segmentSummary) && missing.length + strangers.length === 0 && lost === undefined;
  const now = ports.clock.now();
  const folders = new KnownFolders(unchanged.before?.folders ?? [], root, layout.journal, now);
  const measured = () =>
    sizesIn(ports.fs, root, layout.checkpoints, { look: unchanged.look, folders });
  let sizes = measured();
  // Not after a read error: the stored facts would be incomplete.
  if ((known === undefined || folders.hasNews) && isWell && reader.refused === refused) {
    unchanged.keep({ ...facts, read, folders: folders.list }, segmentSummary.lastSeq);
    sizes = measured();
  }
  const { cutOff, messageCount, tokenCount, trackedFiles, sessionCount, injected, hooks } = facts;
  const storageSize = sizes.all.bytes;
  const bytesOf = (path: string) => (path === root ? storageSize : sizes.of(path).bytes);
  const warnings = [
    ...others,
    ...missingWarnings(unrecorded(project, missing)),
    ...strangerWarnings(strangers),
    ...lostWarnings(lost),
    ...undoneWarnings(injected),
    ...sizeWarnings(takenIn(project, bytesOf), project.maxStorageMb),
    ...parts.flatMap((part) => part.warnings(project, (place) => bytesOf(`${root}/${place}`))),
  ];
  return {
    exists: true,
    directory: project.dir,
    lastSaved: lastSaved(project, sizes),
    sessionCount,
    messageCount,
    tokenCount,
    trackedFiles,
    checkpoints: read.map(([, info]) => info),
    cutOff,
    storageSize,
    servers: runningServers(project),
    health: warnings.length > 0 ? 'warning' : 'good',
    warnings,
    journal: {
      events: segmentSummary.events,
      segments: segments.length,
      bytes: sizes.of(layout.journal).bytes,
      lastSeq: segmentSummary.lastSeq,
      inbox,
    },
    cost: {
      bytes: storageSize,
      injectedChars: injected.chars,
      injectedTokens: Math.ceil(injected.chars / CHARS_PER_TOKEN),
      hookCalls: hooks.calls,
      hookMs: hooks.medianMs,
      hookP95Ms: hooks.p95Ms,
      slowHooks: injected.slow,
      slowest: injected.slowest,
    },
  };
}

const isWhole = ({ events, firstSeq, lastSeq }: SegmentSummary): boolean =>
  events === lastSeq - firstSeq + 1;

/** Without losses that a repair recorded: nothing can be done about these. */
function unrecorded(
  { ports, reader }: Project,
  missing: readonly MissingEvents[],
): readonly MissingEvents[] {
  if (missing.length === 0) return missing;
  const losses = recordedLosses(reader, ports.xxh64);
  const place = { kind: 'missing' as const, offset: 0, bytes: 0 };
  return missing.filter((one) => !losses.covers({ ...place, ...one, segment: one.segment ?? '' }));
}

function nothingYet({ ports, root, layout }: Project): string {
  if (ports.fs.statIfThere(root) === undefined)
    return 'nothing was recorded here yet: run ben10 init, then work in the client';
  if (isTakenAway(ports, layout)) return `${TAKEN_AWAY}. ${BRING_BACK}`;
  return 'nothing was recorded here yet: recording starts with the next session; if it does not, run ben10 doctor';
}

const NO_COST = { bytes: 0, injectedChars: 0, injectedTokens: 0, hookCalls: 0 };

const unknown = ({ dir }: Project): ContextStatus => ({
  exists: false,
  directory: dir,
  lastSaved: null,
  sessionCount: 0,
  messageCount: 0,
  tokenCount: 0,
  trackedFiles: 0,
  checkpoints: [],
  cutOff: null,
  storageSize: 0,
  servers: 0,
  health: 'warning',
  warnings: [],
  journal: { events: 0, segments: 0, bytes: 0, lastSeq: 0, inbox: 0 },
  cost: { ...NO_COST, hookMs: null, hookP95Ms: null, slowHooks: 0, slowest: null },
});

/** Without the cache of status itself. */
function lastSaved({ ports, root }: Project, sizes: ReturnType<typeof sizesIn>): number | null {
  const places = ports.stored.map(({ place }) => `${root}/${place}`);
  const own = `${root}/checkpoints/${UNCHANGED}`;
  const newest = sizes.newest(
    (path) => path !== own && places.some((one) => path === one || path.startsWith(`${one}/`)),
  );
  return newest === 0 ? null : newest;
}
