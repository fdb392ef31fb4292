import type {
  CheckpointBegun,
  HandoffCreated,
  HandoffResumed,
  WipCommitted,
} from '../../events/types.ts';
import { fieldOf, headOf } from '../bounds.ts';
import { type Fact, foldedBy, type Projection } from '../contract.ts';

/** A checkpoint that was begun, and how far it came. */
export interface CheckpointRecord
  extends Pick<
    CheckpointBegun,
    'checkpoint' | 'level' | 'trigger' | 'percent' | 'epoch' | 'worktree' | 'issue'
  > {
  /** Of its begin. */
  seq: number;
  at: number;
  session: string | null;
  wip: (Pick<WipCommitted, 'commit' | 'ref' | 'mode'> & { seq: number; isUndone: boolean }) | null;
  /** Null until its document is recorded. */
  handoff: HandoffRecord | null;
}

export interface HandoffRecord
  extends Pick<
    HandoffCreated,
    'file' | 'sha256' | 'upto' | 'chain' | 'title' | 'branch' | 'previous' | 'nextSteps'
  > {
  /** Its event has the text and the claims. */
  seq: number;
  at: number;
  claims: number;
  /** Sessions that went on from it, the first one first. */
  resumed: { session: string; seq: number; at: number }[];
}

export interface HandoffsState {
  /** By checkpoint, oldest first. */
  checkpoints: Record<string, CheckpointRecord>;
}

const CHECKPOINTS_MAX = 200;
const NAME_CHARS = 1000;
const STEPS_MAX = 8;
const STEP_CHARS = 240;
const RESUMED_MAX = 10;
const NAME = /^[0-9a-f]{1,64}$/;

/** Checkpoints of the project with their handoffs, and who went on from them. */
export const handoffs: Projection<HandoffsState> = {
  name: 'handoffs',
  version: 1,
  scope: 'project',
  initial: () => ({ checkpoints: {} }),
  ...foldedBy<HandoffsState>({
    'checkpoint.begun': begun,
    'wip.committed': (state, { seq, data: { checkpoint, commit, ref, mode } }) => {
      const found = fieldOf(state.checkpoints, checkpoint);
      if (found !== undefined)
        found.wip = { commit, ref: headOf(ref, NAME_CHARS), mode, seq, isUndone: false };
    },
    'wip.undone': (state, { data: { checkpoint, commit } }) => {
      const { wip = null } = fieldOf(state.checkpoints, checkpoint) ?? {};
      if (wip?.commit === commit) wip.isUndone = true;
    },
    'handoff.created': created,
    'handoff.resumed': resumed,
  }),
};

function begun({ checkpoints }: HandoffsState, { seq, at, session, data }: Fact<CheckpointBegun>) {
  const { checkpoint, level, trigger, percent, epoch, worktree, issue } = data;
  if (!NAME.test(checkpoint) || fieldOf(checkpoints, checkpoint) !== undefined) return;
  checkpoints[checkpoint] = {
    checkpoint,
    level,
    trigger,
    epoch: headOf(epoch, NAME_CHARS),
    worktree: headOf(worktree, NAME_CHARS),
    ...(percent !== undefined && { percent }),
    ...(issue !== undefined && { issue: headOf(issue, STEP_CHARS) }),
    seq,
    at,
    session,
    wip: null,
    handoff: null,
  };
  // Names of digits alone come first in an object, so the oldest is found by its event.
  const all = Object.values(checkpoints);
  if (all.length <= CHECKPOINTS_MAX) return;
  const oldest = all.reduce((one, other) => (other.seq < one.seq ? other : one));
  delete checkpoints[oldest.checkpoint];
}

function created({ checkpoints }: HandoffsState, { seq, at, data }: Fact<HandoffCreated>): void {
  const found = fieldOf(checkpoints, data.checkpoint);
  if (found === undefined || found.handoff !== null) return;
  const { file, sha256, upto, chain, title, branch, previous, nextSteps, claims } = data;
  found.handoff = {
    file: headOf(file, NAME_CHARS),
    sha256,
    upto,
    chain,
    title: headOf(title, STEP_CHARS),
    ...(branch !== undefined && { branch: headOf(branch, NAME_CHARS) }),
    ...(previous !== undefined && { previous }),
    nextSteps: nextSteps.slice(0, STEPS_MAX).map((step) => headOf(step, STEP_CHARS)),
    seq,
    at,
    claims: claims.length,
    resumed: [],
  };
}

function resumed({ checkpoints }: HandoffsState, { seq, at, session, data }: Fact<HandoffResumed>) {
  const { handoff = null } = fieldOf(checkpoints, data.handoff) ?? {};
  if (handoff === null || session === null || handoff.resumed.length >= RESUMED_MAX) return;
  if (handoff.resumed.some((one) => one.session === session)) return;
  handoff.resumed.push({ session, seq, at });
}

export type Handoff = CheckpointRecord & { handoff: HandoffRecord };

/** The newest first. */
export const handoffsOf = ({ checkpoints }: HandoffsState): Handoff[] =>
  Object.values(checkpoints)
    .filter((one): one is Handoff => one.handoff !== null)
    .sort((a, b) => b.handoff.seq - a.handoff.seq);

/** The handoff that a session wrote last, else the one that it went on from. */
export const previousOf = (state: HandoffsState, session: string): string | undefined =>
  handoffsOf(state).find(
    (one) => one.session === session || one.handoff.resumed.some((by) => by.session === session),
  )?.checkpoint;

/** Older ones that were begun and never ended are left alone. */
const UNFINISHED_MS = 24 * 3_600_000;

/** What killed processes had begun. */
export const unfinishedOf = ({ checkpoints }: HandoffsState, now: number): CheckpointRecord[] =>
  Object.values(checkpoints).filter(
    ({ handoff, at }) => handoff === null && at > now - UNFINISHED_MS,
  );
