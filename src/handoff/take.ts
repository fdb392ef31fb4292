import { rmSync } from 'node:fs';
import path from 'node:path';
import { fact } from '../events/identity.ts';
import type { CheckpointBegun, EventData, EventType, WipCommitted } from '../events/types.ts';
import { LockFile } from '../journal/append/locking.ts';
import { readView } from '../monitor/view.ts';
import { writeView } from '../monitor/write-view.ts';
import type { Ben10Config } from '../platform/config/keys.ts';
import { Ben10Error, errno } from '../platform/errors.ts';
import { within } from '../platform/programs/run-now.ts';
import type { Project } from '../project/open.ts';
import { type CheckpointRecord, unfinishedOf } from '../projections/folds/handoffs.ts';
import { iterationOf, loops } from '../projections/folds/loops.ts';
import { chainOf, eventAt } from './at-seq.ts';
import { type Asked, type ByHand, begunFor, stateNow } from './begin.ts';
import { documentOf, HANDOFFS_DIR } from './document.ts';
import { exportState } from './exported.ts';
import { exportLoop } from './exported-loop.ts';
import { NotDone } from './repository.ts';
import { makeFolders, OURS, TEMPORARY, writeUserFile } from './user-file.ts';
import { commitWip } from './wip.ts';

export interface Taken {
  checkpoint: string;
  level: CheckpointBegun['level'];
  /** Relative to the worktree. */
  file: string;
  title: string;
  wip: WipCommitted | null;
  /** Why nothing was committed, where it should have been. */
  notCommitted: string | null;
  /** What to run in the next session. */
  resume: string;
}

export type Settings = Pick<Ben10Config, 'monitor' | 'handoff'>;

const GIT_MS = 10_000;
const WAIT_MS = 10_000;
/**
 * Takes a checkpoint: begun → work in progress committed → document written → recorded. Whoever comes first does it: a second process,
 * or another trigger, finds it done. What was killed on the way is taken up again by its ids.
 * @returns undefined if there is nothing to take, or another process is at it
 * @throws Ben10Error FS_WRITE_ERROR, FS_PERMISSION_DENIED, CONTEXT_LOCKED
 */
export function takeCheckpoint(
  project: Project,
  asked: Asked,
  settings: Settings,
): Taken | undefined {
  return underLock(project, asked.waitMs ?? WAIT_MS, () => {
    const begun = begunFor(project, asked, settings.monitor.issuePattern);
    if (begun === undefined) return undefined;
    const { known, data, name } = begun;
    if (known !== undefined) return finish(project, known, asked, settings);
    const { recorder } = project;
    const { session, source } = asked;
    const event = recorder.ownEvent('checkpoint.begun', session, data, source, name);
    const [seq] = recorder.append([event]).seqs;
    // It waits in the inbox; the next hook goes on from there.
    if (seq === undefined && asked.waitMs === 0) return undefined;
    if (seq === undefined) throw locked();
    const { checkpoint } = data;
    return finish(project, { checkpoint, seq, wip: null }, asked, settings, {
      isNew: true,
      mayWait: asked.trigger === 'turn-end',
    });
  });
}

/** For who asks by hand, and gets one in any case. @throws as `takeCheckpoint` */
export const takeByHand = (
  project: Project,
  asked: Asked & { trigger: ByHand },
  settings: Settings,
): Taken => takeCheckpoint(project, asked, settings)!;

/** Finishes what a killed process had begun. */
export function finishCheckpoints(
  project: Project,
  asked: Pick<Asked, 'source' | 'gitMs' | 'waitMs'>,
  settings: Settings,
): Taken[] {
  const unfinished = () => unfinishedOf(stateNow(project), project.ports.clock.now());
  if (unfinished().length === 0) return [];
  const finished = () => unfinished().flatMap((one) => finish(project, one, asked, settings) ?? []);
  return underLock(project, asked.waitMs ?? WAIT_MS, finished) ?? [];
}

const locked = () =>
  new Ben10Error('CONTEXT_LOCKED', 'the journal is busy: no checkpoint was taken', {
    next: 'Try again in a moment; if that lasts, run: ben10 doctor',
  });

/** @returns undefined if another process takes one just now, and there is no time to wait */
function underLock<T>(project: Project, waitMs: number, work: () => T): T | undefined {
  // Makes the folder.
  project.writer.syncIfDue();
  const lock = new LockFile(project.ports, project.layout.takeLock);
  try {
    const held = lock.hold(waitMs, work);
    if (held === undefined && (lock.isImpossible || waitMs > 0)) throw locked();
    return held?.value;
  } finally {
    lock.close();
  }
}

function finish(
  project: Project,
  { checkpoint, seq, wip }: Pick<CheckpointRecord, 'checkpoint' | 'seq' | 'wip'>,
  { source, gitMs = GIT_MS }: Pick<Asked, 'source' | 'gitMs'>,
  settings: Settings,
  { isNew = false, mayWait = false } = {},
): Taken | undefined {
  const event = eventAt(project, seq);
  const begun = { ...(event!.data as CheckpointBegun), seq };
  const { level, worktree } = begun;
  const session = event!.session;
  const inLoop = iterationOf(project.states.at(loops, null).state, session ?? '');
  const append = <T extends EventType>(type: T, data: EventData[T]): void => {
    const name = fact.monitor(type, checkpoint, level);
    project.recorder.append([project.recorder.ownEvent(type, session, data, source, name)]);
  };
  const dir = path.resolve(project.dir, worktree);
  // Before the commit: nobody would be told of one without a document.
  makeFolders(dir, HANDOFFS_DIR);
  let committed: WipCommitted | undefined;
  let notCommitted: string | null = null;
  if (wip !== null) committed = eventAt(project, wip.seq)?.data as WipCommitted | undefined;
  else {
    try {
      const subject = subjectOf(begun, inLoop?.iteration.n);
      committed = commit(project, { ...begun, subject }, dir, settings, within(gitMs));
    } catch (error) {
      if (!(error instanceof NotDone) && errno(error) === undefined) throw error;
      // The next hook has time again; it goes on without a commit if that is not enough, either.
      if (mayWait && error instanceof NotDone && error.isLate) return undefined;
      notCommitted = (error as Error).message;
    }
    if (committed !== undefined) append('wip.committed', committed);
  }
  const document = documentOf(project, begun, committed);
  const { file, title } = document;
  // A killed process may have written it already.
  if (!isNew) rmSync(path.join(dir, file), { force: true });
  writeUserFile(dir, file, document.text, true);
  append('handoff.created', document);
  if (session !== null) {
    // The status line says where it lies, and asks for no other one.
    if (readView(project.root, session) !== undefined)
      writeView(project, session, settings.monitor);
    exportState(project, session);
  }
  if (inLoop !== undefined) exportLoop(project, inLoop.loop.loop);
  return {
    checkpoint,
    level,
    file,
    title,
    wip: committed ?? null,
    notCommitted,
    resume: '/orient',
  };
}

const isOurs = (file: string): boolean =>
  /(?:^|\/)\.ben10(?:\/|$)/.test(file) ||
  OURS.some((one) => file === one || file.startsWith(`${one}/`));

function commit(
  project: Project,
  { checkpoint, seq, subject, isWipOff }: CheckpointBegun & { seq: number; subject: string },
  dir: string,
  { monitor, handoff }: Settings,
  left: () => number,
): WipCommitted | undefined {
  if (monitor.wip === 'off' || isWipOff === true) return undefined;
  const { redaction } = project;
  const chain = chainOf(project, seq) ?? '';
  const refuse = (file: string) => {
    const isDocument = handoff.commit && file.startsWith(`${HANDOFFS_DIR}/`);
    if ((isOurs(file) && !isDocument) || file.endsWith(TEMPORARY)) return '';
    return project.excludedBy(file) && 'context.excludePatterns';
  };
  const asked = { checkpoint, seq, chain, mode: monitor.wip, subject, redaction, refuse };
  return commitWip(dir, asked, left);
}

function subjectOf({ issue, level, percent }: CheckpointBegun, iteration?: number): string {
  const at = percent === undefined ? '' : ` at ${Math.round(percent)}%`;
  if (iteration !== undefined) return `ralph: checkpoint iter ${iteration} (${level}${at})`;
  return issue === undefined ? '[WIP] checkpoint' : `[WIP] ${issue} - checkpoint`;
}
