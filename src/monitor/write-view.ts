import path from 'node:path';
import type { MonitorSettings } from '../platform/config/keys.ts';
import { ensureDir, removeIfThere, writeFileAtomic } from '../platform/files.ts';
import { randomHex } from '../platform/random.ts';
import type { Project } from '../project/open.ts';
import { fieldOf } from '../projections/bounds.ts';
import {
  type ContextUseState,
  contextUse,
  type EpochUse,
  epochOf,
  useNow,
} from '../projections/folds/context-use.ts';
import { forecastHistory, segmentOf } from '../projections/folds/forecast-history.ts';
import { handoffs, handoffsOf } from '../projections/folds/handoffs.ts';
import { iterationOf, leftOf, loops } from '../projections/folds/loops.ts';
import { type WorktreeState, workspace } from '../projections/folds/workspace.ts';
import type { Point } from '../projections/growth.ts';
import { backtest } from './backtest.ts';
import { forecasts, marksOf } from './forecast.ts';
import { issueIn } from './issue.ts';
import { compactAt, levelOf, rankOf, stepOf, thresholds } from './levels.ts';
import type { Usage } from './tail.ts';
import { isDeferred, type MonitorView, viewFile } from './view.ts';
import { windowBy } from './window.ts';

/** What is newer than the journal. */
export interface Newest {
  sample?: Partial<Pick<Usage, 'tokens' | 'model'>> | undefined;
  worktree?: string | undefined;
}

const KEPT_MS = 14 * 86_400_000;
const RECENT_CALLS = 20;

/** Folds a session's view and writes it, by rename. A disk that cannot be written leaves the old one. */
export function writeView(
  project: Project,
  session: string,
  settings: MonitorSettings,
  newest: Newest = {},
): MonitorView {
  const view = viewOf(project, session, settings, newest);
  write(project, view);
  return view;
}

/** Notes a try to take a due checkpoint, so that others wait. */
export const noteTry = (project: Project, view: MonitorView, triedAt: number): void =>
  write(project, { ...view, checkpoint: { ...view.checkpoint, triedAt } });

function write({ root, ports: { fs, random } }: Project, view: MonitorView): void {
  try {
    const file = viewFile(root, view.session);
    ensureDir(fs, path.dirname(file), { durable: false });
    const bytes = Buffer.from(JSON.stringify(view));
    writeFileAtomic(fs, file, bytes, randomHex(random, 6), { durable: false });
  } catch {
    // The next hook tries again.
  }
}

/** Removes views of sessions that are long over. */
export function dropOldViews({ root, ports: { fs, clock } }: Project): void {
  try {
    for (const name of fs.readdir(`${root}/monitor`)) {
      const file = `${root}/monitor/${name}`;
      const { mtimeMs = clock.now() } = fs.statIfThere(file) ?? {};
      if (mtimeMs < clock.now() - KEPT_MS) removeIfThere(fs, file);
    }
  } catch {
    // There is none, or none that may be read.
  }
}

export function viewOf(
  project: Project,
  session: string,
  settings: MonitorSettings,
  { sample, worktree }: Newest = {},
): MonitorView {
  const { states } = project;
  const { state } = states.at(contextUse, session);
  const { segments } = states.at(forecastHistory, null).state;
  // Behind a compaction the next one begins with the next call.
  const segment = state.isRough ? undefined : segmentOf(segments, session);
  const full = fullness(state, settings, sample);
  const { window, tokens } = full;
  const { compacting } = state;
  const at = compactAt(settings, { session, window, tokens, compacting, segments });
  const marks = thresholds(settings, at, window, stepOf(segment));
  const use = useNow(state);
  const view: MonitorView = {
    version: 1,
    session,
    epoch: epochOf(state),
    ...full,
    ...marks,
    compactAt: at.at,
    isCompactKnown: at.isKnown,
    level: levelOf(full.percent, marks, use.level),
    alerted: [...new Set(use.alerted.map(({ level }) => level))],
    deferredUntil: use.deferredUntil,
    checkpoint: { state: 'none', at: null, handoff: null },
    forecast: null,
    issue: issueOf(project, settings.issuePattern, worktree),
    phase: phaseOf(state),
    loop: loopOf(project, session),
  };
  view.checkpoint = checkpointOf(project, state, use, view);
  if (segment !== undefined && tokens !== null) {
    const ahead = marksOf(view).filter(({ to }) => at.isKnown || to !== 'compaction');
    const others = segments.filter((one) => one !== segment);
    const { usual } = backtest(others, settings.levels, settings.window);
    const [messages, minutes] = segment.points.at(-1)!;
    const now: Point = [messages, minutes, tokens];
    view.forecast = forecasts(segment.points[0]!, now, usual, ahead)[0] ?? null;
  }
  return view;
}

/** The newest word of how full the context is. */
export function fullness(
  state: ContextUseState,
  { window: set }: Pick<MonitorSettings, 'window'>,
  sample?: Newest['sample'],
): Pick<MonitorView, 'window' | 'tokens' | 'percent'> {
  // Inside an epoch a context only grows: the larger number is the newer one, but for small falls.
  const tokens = sample?.tokens ?? state.tokens;
  const by = { said: state.window, set, model: sample?.model ?? state.model };
  const { window } = windowBy(by, tokens);
  return { window, tokens, percent: tokens === null ? null : Math.round((100 * tokens) / window) };
}

function checkpointOf(
  { states }: Project,
  { work }: ContextUseState,
  { alerted }: EpochUse,
  view: MonitorView,
): MonitorView['checkpoint'] {
  const [newest] = handoffsOf(states.at(handoffs, null).state).filter(
    (one) => one.session === view.session,
  );
  const known = {
    at: newest?.handoff.at ?? null,
    handoff: newest === undefined ? null : nameOf(newest.handoff.file),
  };
  if (newest !== undefined && newest.handoff.seq > (work.edit?.seq ?? 0))
    return { ...known, state: 'ready' };
  if (isDeferred(view)) return { ...known, state: 'deferred' };
  const told = alerted.find(({ level }) => rankOf(level) >= rankOf('L2'));
  if (told !== undefined && newest?.epoch !== view.epoch)
    return { ...known, state: 'due', dueSince: told.at };
  return { ...known, state: newest === undefined ? 'none' : 'taken' };
}

const nameOf = (file: string): string => file.replace(/^.*[/\\]/, '').replace(/\.md$/, '');

/** The first match in the branches, and in what was said of the work. */
function issueOf({ states }: Project, pattern: string, name = '.'): string | null {
  const { worktrees } = states.at(workspace, null).state;
  const place: WorktreeState | undefined = fieldOf(worktrees, name);
  if (place === undefined) return null;
  const branches = place.things.flatMap(({ kind, state }) => (kind === 'repository' ? state : []));
  return issueIn(pattern, [...branches, name, place.work?.taskSummary ?? '']);
}

function loopOf({ states }: Project, session: string): MonitorView['loop'] {
  const { loop } = iterationOf(states.at(loops, null).state, session) ?? {};
  if (loop === undefined) return null;
  const sessions = new Set(loop.iterations.map((one) => one.session));
  const { checkpoints } = states.at(handoffs, null).state;
  const taken = Object.values(checkpoints).filter(
    (one) => one.handoff !== null && sessions.has(one.session ?? undefined),
  );
  const { spent, limits } = loop;
  const n = spent.iterations + 1;
  return { n, max: limits.max, checkpoints: taken.length, left: leftOf(loop) };
}

function phaseOf({ work }: ContextUseState): MonitorView['phase'] {
  const { isPlanning, calls, edit, test } = work;
  if (isPlanning) return 'PLAN';
  if (test !== null && test.call >= (edit?.call ?? 0)) return 'TEST';
  return edit !== null && calls - edit.call < RECENT_CALLS ? 'IMPL' : 'LOOK';
}
