import path from 'node:path';
import { readView } from '../monitor/view.ts';
import type { Project } from '../project/open.ts';
import { context } from '../projections/folds/context.ts';
import { forecastHistory } from '../projections/folds/forecast-history.ts';
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
export function stateOf(
  project: Project,
  session: string | null,
  view = session === null ? undefined : readView(project.root, session),
) {
  const { dir, states } = project;
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
    ...growthOf(project, session),
    estimatedTimeToL2: to === 'L2' ? `${Math.round(minutes!)}m` : null,
    linearIssue: view?.issue ?? last?.issue ?? null,
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

/** How the context grows, in minutes of work, since it was new or compacted. */
function growthOf({ states }: Project, session: string | null) {
  const { segments } = states.at(forecastHistory, null).state;
  const [newest, older] = segments.filter((one) => one.session === session).reverse();
  const points = newest?.points ?? [];
  const [, minutes = 0, tokens = 0] = points.at(-1) ?? [];
  const before = (points.at(-2) ?? older?.points.at(-1))?.[2] ?? tokens;
  const rate = (tokens - (points[0]?.[2] ?? 0)) / minutes;
  return {
    contextTrend: tokens > before ? 'increasing' : tokens < before ? 'decreasing' : 'stable',
    tokensPerMinute: minutes > 0 ? Math.round(rate) : null,
  };
}

const timeOf = (at: number | null): string | null =>
  at === null ? null : new Date(at).toISOString();
