import { listInbox } from '../journal/inbox.ts';
import { readManifest } from '../journal/manifest.ts';
import { type MissingEvents, type Outline, outlineOf } from '../journal/outline.ts';
import { recordedLosses } from '../journal/verify-gaps.ts';
import { Ben10Error, errno } from '../platform/errors.ts';
import type { Project } from '../project/open.ts';
import { CheckpointStore } from '../projections/checkpoints.ts';
import { type ContextState, context } from '../projections/folds/context.ts';
import { injected } from '../projections/folds/injected.ts';
import type { States } from '../projections/states.ts';
import { damagedEvents } from './damaged.ts';
import { overviewOf } from './overview.ts';
import { sizesIn } from './storage.ts';
import {
  lostWarnings,
  missingWarnings,
  sizeWarnings,
  snapshotWarnings,
  warningsOf,
} from './warnings.ts';

/** A stored state of the session that was active last. */
export interface CheckpointInfo {
  /** `@1234`: the point that it is near. */
  id: string;
  /** When it was stored, whole milliseconds since the epoch. */
  timestamp: number;
  messageCount: number;
}

/** A session that never said that it ended. Everything up to its last event was recovered. */
export interface CutOffInfo {
  session: string;
  /** When it was last heard of, milliseconds since the epoch. */
  at: number;
  /** Its last event. */
  seq: number;
}

export interface ContextStatus {
  /** False when nothing was ever recorded here. */
  exists: boolean;
  /** The project's folder. */
  directory: string;
  /** When a state was last stored, by itself or by hand, whole milliseconds since the epoch. */
  lastSaved: number | null;
  sessionCount: number;
  /** This and the next three are of the session that was active last. */
  messageCount: number;
  /** In its context as the client last reported it; where it never did, estimated from the messages. */
  tokenCount: number;
  /** Files that its file tools touched. */
  trackedFiles: number;
  /** The newest ones, newest first. */
  checkpoints: CheckpointInfo[];
  /** The session that was cut off before the last active one: killed, or still open elsewhere. */
  cutOff: CutOffInfo | null;
  /** All of `.ben10`, bytes. */
  storageSize: number;
  health: 'good' | 'warning' | 'error';
  warnings: string[];
  journal: {
    /** Those that are there, by what its segments say of themselves. */
    events: number;
    segments: number;
    bytes: number;
    /** 0 when there are no events. */
    lastSeq: number;
    /** Appends that wait for their place in the journal. */
    inbox: number;
  };
  /** What ben10 itself costs. */
  cost: {
    bytes: number;
    /** Put into the agent's context by hooks, all sessions together. */
    injectedChars: number;
    /** Estimated. */
    injectedTokens: number;
    /** Known only where hooks are measured: `ben10 doctor`. */
    hookMs: null;
  };
}

/** Stored states that are listed: each is opened for its count of messages. */
const CHECKPOINTS_LISTED = 5;
/** As `estimateTokens` counts them. */
const CHARS_PER_TOKEN = 3.1;

/** How the record of this project is. Writes nothing that it needs: it works on a read-only disk, and without a journal. */
export function status(project: Project): ContextStatus {
  try {
    const warnings = warningsOf(project);
    const outline = outlineOf(project.ports, project.reader);
    return statusOf(project, outline, warnings);
  } catch (error) {
    if (!(error instanceof Ben10Error) && errno(error) === undefined) throw error;
    return { ...unknown(project), health: 'error', warnings: [(error as Error).message] };
  }
}

function statusOf(project: Project, outline: Outline, others: string[]): ContextStatus {
  const { ports, layout, reader, states, lz4, decoders } = project;
  const inbox = listInbox(ports, layout).length;
  if (outline.lastSeq === 0 && outline.missing.length === 0 && inbox === 0) {
    return { ...unknown(project), warnings: [...others, nothingYet(project)] };
  }
  const epoch = readManifest(ports, layout)?.erasureEpoch ?? 0;
  const store = new CheckpointStore(ports, layout, { lz4, decoders }, epoch);
  const { count, newest, cutOff } = overviewOf(project, store);
  const state = newest === undefined ? context.initial() : states.at(context, newest.session).state;
  const { chars } = states.at(injected, null).state;
  // Behind the states, which are stored as they are asked for.
  const sizes = sizesIn(ports.fs, layout.root);
  const journalBytes = sizes.of(layout.journal).bytes;
  const damaged = damagedEvents(project, outline, journalBytes, store);
  const storageSize = sizes.all.bytes;
  const warnings = [
    ...others,
    ...missingWarnings(untold(project, [...outline.missing, ...damaged])),
    ...lostWarnings(states.lost()),
    ...sizeWarnings(storageSize, project.maxStorageMb),
    ...snapshotWarnings(sizes.of(layout.snapshots).bytes, project.snapshotsMaxMb),
  ];
  return {
    exists: true,
    directory: project.dir,
    lastSaved: lastSaved(project, sizes),
    sessionCount: count,
    messageCount: state.conversation.messageCount,
    tokenCount: tokensOf(state),
    trackedFiles: Object.keys(state.files.files).length,
    checkpoints: newest === undefined ? [] : checkpointsOf(store, states, newest.session),
    cutOff: cutOff ? { session: cutOff.session, at: cutOff.lastAt, seq: cutOff.lastSeq } : null,
    storageSize,
    health: warnings.length > 0 ? 'warning' : 'good',
    warnings,
    journal: {
      events: outline.events,
      segments: reader.segments().length,
      bytes: journalBytes,
      lastSeq: outline.lastSeq,
      inbox,
    },
    cost: {
      bytes: storageSize,
      injectedChars: chars,
      injectedTokens: Math.ceil(chars / CHARS_PER_TOKEN),
      hookMs: null,
    },
  };
}

/** What a repair recorded as lost for good is told of by verify, and nothing to be done about. */
function untold(
  { ports, reader }: Project,
  missing: readonly MissingEvents[],
): readonly MissingEvents[] {
  if (missing.length === 0) return missing;
  const losses = recordedLosses(reader, ports.xxh64);
  const place = { kind: 'missing' as const, offset: 0, bytes: 0 };
  return missing.filter((one) => !losses.covers({ ...place, ...one, segment: one.segment ?? '' }));
}

const nothingYet = ({ ports, root }: Project): string =>
  ports.fs.statIfThere(root) === undefined
    ? 'nothing was recorded here yet: run ben10 init, then work in the client'
    : 'nothing was recorded here yet: it begins with the next session in the client; if it does not, run ben10 doctor';

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
  health: 'warning',
  warnings: [],
  journal: { events: 0, segments: 0, bytes: 0, lastSeq: 0, inbox: 0 },
  cost: { bytes: 0, injectedChars: 0, injectedTokens: 0, hookMs: null },
});

const tokensOf = ({ usage, conversation }: ContextState): number =>
  usage.contextTokens ?? conversation.messages.reduce((sum, one) => sum + one.tokenCount, 0);

function lastSaved({ layout }: Project, sizes: ReturnType<typeof sizesIn>): number | null {
  const places = [layout.checkpoints, layout.snapshots, `${layout.root}/current.ctx`];
  const newest = Math.max(...places.map((place) => sizes.of(place).newest ?? 0));
  return newest === 0 ? null : newest;
}

/** What was read of stored states, which never change, by the states of the journal that they are of. */
const read = new WeakMap<States, Map<string, CheckpointInfo>>();

function checkpointsOf(store: CheckpointStore, states: States, session: string): CheckpointInfo[] {
  const listed = store.list(context, session).slice(0, CHECKPOINTS_LISTED);
  const before = read.get(states);
  const now = new Map<string, CheckpointInfo>();
  read.set(states, now);
  return listed.flatMap((seq) => {
    const storedAt = store.storedAt(context, session, seq);
    if (storedAt === undefined) return [];
    const key = `${session} ${seq} ${storedAt}`;
    const info = before?.get(key) ?? infoOf(store, session, seq, storedAt);
    if (info === undefined) return [];
    now.set(key, info);
    return [info];
  });
}

function infoOf(
  store: CheckpointStore,
  session: string,
  seq: number,
  storedAt: number,
): CheckpointInfo | undefined {
  const found = store.peek<ContextState>(context, session, seq);
  if (found === undefined) return undefined;
  const { messageCount } = found.state.conversation;
  return { id: `@${seq}`, timestamp: Math.floor(storedAt), messageCount };
}
