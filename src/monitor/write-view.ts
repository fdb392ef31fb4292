import path from 'node:path';
import type { MonitorSettings } from '../platform/config/keys.ts';
import { ensureDir, removeIfThere, writeFileAtomic } from '../platform/files.ts';
import { randomHex } from '../platform/random.ts';
import type { Project } from '../project/open.ts';
import { fieldOf } from '../projections/bounds.ts';
import { compactionPoints } from '../projections/folds/compaction-points.ts';
import {
  type ContextUseState,
  contextUse,
  epochOf,
  useNow,
} from '../projections/folds/context-use.ts';
import { forecastHistory } from '../projections/folds/forecast-history.ts';
import { handoffs, handoffsOf } from '../projections/folds/handoffs.ts';
import { iterationOf, leftOf, loops } from '../projections/folds/loops.ts';
import { type WorktreeState, workspace } from '../projections/folds/workspace.ts';
import { usualFor } from './backtest.ts';
import { forecastOf, marksOf } from './forecast.ts';
import { issueIn } from './issue.ts';
import { compactAt, levelOf, rankOf, stepOf, thresholds } from './levels.ts';
import type { Sample } from './sample.ts';
import { isDeferred, type MonitorView, viewFile } from './view.ts';
import { lifted, windowOf } from './window.ts';

/** What is newer than the journal. */
export interface Newest {
  sample?: Pick<Sample, 'tokens' | 'model'> | undefined;
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
  const { state, seq } = states.at(contextUse, session);
  const now = fullness(state, settings, sample);
  const { window, tokens } = now;
  const { points } = states.at(compactionPoints, null).state;
  const { compacting } = state;
  const client = 'claude-code';
  const at = compactAt(settings, { session, window, client, tokens, compacting, points });
  const marks = thresholds(settings, at, window, stepOf(state.segment, window));
  const use = useNow(state);
  const view: MonitorView = {
    version: 1,
    session,
    upto: seq,
    epoch: epochOf(state),
    ...now,
    l1: marks.l1,
    l2: marks.l2,
    l3: marks.l3,
    compactAt: at.at,
    isCompactKnown: at.isKnown,
    level: levelOf(now.percent, marks, use.level),
    alerted: [...new Set(use.alerted.map(({ level }) => level))],
    deferredUntil: use.deferredUntil,
    checkpoint: { state: 'none', at: null, handoff: null },
    forecast: null,
    issue: issueOf(project, settings.issuePattern, worktree),
    phase: phaseOf(state),
    loop: loopOf(project, session),
  };
  view.checkpoint = checkpointOf(project, state, view);
  view.forecast = ahead(project, state, settings, view);
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
  const known = set > 0 ? { window: set, from: 'setting' as const } : undefined;
  const said =
    state.window === null ? undefined : { window: state.window, from: 'client' as const };
  const { window } = lifted(
    known ?? said ?? windowOf(sample?.model ?? state.model ?? undefined),
    tokens,
  );
  return { window, tokens, percent: tokens === null ? null : Math.round((100 * tokens) / window) };
}

function checkpointOf(
  project: Project,
  use: ContextUseState,
  view: MonitorView,
): MonitorView['checkpoint'] {
  const { work } = use;
  const { alerted } = useNow(use);
  const { state } = project.states.at(handoffs, null);
  const [newest] = handoffsOf(state).filter((one) => one.session === view.session);
  const known = {
    at: newest?.handoff.at ?? null,
    handoff: newest === undefined ? null : nameOf(newest.handoff.file),
  };
  const isTaken = newest?.epoch === view.epoch;
  const isReady = newest !== undefined && newest.handoff.seq > (work.edit?.seq ?? 0);
  if (isReady) return { ...known, state: 'ready' };
  if (isDeferred(view)) return { ...known, state: 'deferred' };
  const told = alerted.find(({ level }) => rankOf(level) >= rankOf('L2'));
  if (told !== undefined && !isTaken) return { ...known, state: 'due', dueSince: told.at };
  return { ...known, state: newest === undefined ? 'none' : 'taken' };
}

const nameOf = (file: string): string => file.replace(/^.*[/\\]/, '').replace(/\.md$/, '');

function ahead(
  { states }: Project,
  { segment }: ContextUseState,
  { levels, window: set }: MonitorSettings,
  view: MonitorView,
): MonitorView['forecast'] {
  const last = segment?.points.at(-1);
  if (segment === null || last === undefined || view.tokens === null) return null;
  const [messages, minutes] = last;
  const growth = { messages, minutes, from: segment.points[0]![2], tokens: view.tokens };
  const { segments } = states.at(forecastHistory, null).state;
  const marks = marksOf(view).filter(({ to }) => view.isCompactKnown || to !== 'compaction');
  return forecastOf(growth, usualFor(view.session, segments, levels, set), marks);
}

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
