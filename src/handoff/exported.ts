import path from 'node:path';
import { readView } from '../monitor/view.ts';
import type { Project } from '../project/open.ts';
import { context } from '../projections/folds/context.ts';
import { handoffs, handoffsOf } from '../projections/folds/handoffs.ts';
import { writeUserFile } from './user-file.ts';

export const STATE_FILE = '.claude/checkpoint-state.json';

const FILES_MAX = 100;

/** Writes the state of a session's context and checkpoints for other tools. Nothing reads it back. */
export function exportState(project: Project, session: string): void {
  const text = `${JSON.stringify(stateOf(project, session), null, 2)}\n`;
  writeUserFile(project.dir, STATE_FILE, text, false);
}

/** @param session null if none was recorded yet */
export function stateOf({ root, dir, states }: Project, session: string | null) {
  const view = session === null ? undefined : readView(root, session);
  const { state } = states.at(context, session ?? '');
  const last = handoffsOf(states.at(handoffs, null).state).find((one) => one.session === session);
  const committed = last?.wip?.mode === 'branch' ? last.wip.seq : 0;
  const modifiedFiles = Object.values(state.files.files)
    .filter(({ edits, changedSeq }) => edits > 0 && (changedSeq ?? 0) > committed)
    .map((file) => path.relative(dir, path.resolve(dir, file.path)).split(path.sep).join('/'))
    .slice(-FILES_MAX);
  const { to, minutes } = view?.forecast ?? {};
  return {
    version: '1.0.0',
    sessionId: session,
    startedAt: timeOf(state.createdAt),
    currentLevel: view?.level ?? 'L0',
    contextPercent: view?.percent ?? null,
    contextTrend: 'stable',
    tokensPerMinute: null as number | null,
    estimatedTimeToL2: to === 'L2' ? `${Math.round(minutes!)}m` : null,
    linearIssue: view?.issue ?? null,
    lastCheckpoint:
      last === undefined
        ? null
        : {
            timestamp: timeOf(last.handoff.at),
            handoffFile: last.handoff.file,
            reason: last.trigger,
          },
    uncommittedChanges: modifiedFiles.length > 0,
    modifiedFiles,
  };
}

const timeOf = (at: number | null): string | null =>
  at === null ? null : new Date(at).toISOString();
