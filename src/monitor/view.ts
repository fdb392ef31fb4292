import type { Level } from '../events/types.ts';
import { readFile } from '../platform/files.ts';
import { nodeFs } from '../platform/fs.ts';

/**
 * What the status line and the hooks of tool calls need to know of a session, in one small file, so that neither folds anything. It is a
 * projection, written by rename: if it is missing, older or damaged, the next hook of a turn writes it anew.
 */
export interface MonitorView {
  version: 1;
  session: string;
  epoch: string;
  /** Of the session's client and model; tokens. */
  window: number;
  /** The thresholds in force, in percent, brought forward by a known compaction point. */
  l1: number;
  l2: number;
  l3: number;
  /** Tokens at which the client compacts, and whether that is known or only expected; null if it does not. */
  compactAt: number | null;
  isCompactKnown: boolean;
  /** Of the newest sample. */
  tokens: number | null;
  percent: number | null;
  level: Level;
  /** Levels that were told to the model in this epoch. */
  alerted: Level[];
  /** A deferral holds L1 and L2 up to this percent. */
  deferredUntil: number | null;
  checkpoint: {
    /** `ready`: a handoff newer than the last edit. */
    state: 'none' | 'taken' | 'due' | 'ready' | 'deferred';
    /** Milliseconds since the epoch, while it is due. */
    dueSince?: number;
    /** Likewise, of the newest try to take it in the middle of a turn. */
    triedAt?: number;
    /** Milliseconds since the epoch, of the newest one. */
    at: number | null;
    /** Name of the newest handoff document, without folder and `.md`. */
    handoff: string | null;
  };
  /** Minutes of work to the next level or the compaction, whichever comes first; an 80 % interval. */
  forecast: {
    to: 'L1' | 'L2' | 'L3' | 'compaction';
    minutes: number;
    low: number;
    high: number;
  } | null;
  issue: string | null;
  phase: 'PLAN' | 'IMPL' | 'TEST' | 'REVIEW' | 'LOOK';
  /** Of the loop that it is an iteration of: how many were, with it, and what was left of its budget, in words. */
  loop: { n: number; max: number; checkpoints: number; left: string } | null;
}

const VIEW_BYTES_MAX = 64 * 1024;

/** Session ids are UUIDs; whatever else one is, it stays one name. */
export const viewFile = (root: string, session: string): string =>
  `${root}/monitor/${encodeURIComponent(session.toWellFormed()).slice(0, 200)}.json`;

/** Undefined if it is missing or damaged. */
export function readView(root: string, session: string): MonitorView | undefined {
  const view = viewIn(viewFile(root, session));
  return view?.session === session ? view : undefined;
}

/** The same of a file, whose session it names. */
export function viewIn(file: string): MonitorView | undefined {
  try {
    const view = JSON.parse(readFile(nodeFs, file, VIEW_BYTES_MAX).toString('utf8'));
    return view.version === 1 ? view : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the session's checkpoint is due: at L3 even if the model was not told, and once more if it was taken and the work went on. */
export const isDue = ({ level, checkpoint }: MonitorView): boolean =>
  checkpoint.state === 'due' || (level === 'L3' && checkpoint.state !== 'ready');

/** How long a turn may go on at L2 before its checkpoint is taken in the middle of it, and how long another try waits. */
const PATIENCE_MS = 60_000;

/** Whether it is taken in the middle of a turn: at once at L3, after a minute at L2. */
export function isOverdue(view: MonitorView, now: number): boolean {
  const { dueSince = now, triedAt = 0 } = view.checkpoint;
  const isPatient = view.level !== 'L3' && now - dueSince <= PATIENCE_MS;
  return isDue(view) && !isPatient && now - triedAt > PATIENCE_MS;
}

export const isDeferred = ({ deferredUntil, percent, level }: MonitorView): boolean =>
  level !== 'L3' && deferredUntil !== null && percent !== null && percent < deferredUntil;
