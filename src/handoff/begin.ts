import { defined } from '../capture/json.ts';
import { fact, factId } from '../events/identity.ts';
import type { CheckpointBegun, Source } from '../events/types.ts';
import { issueIn } from '../monitor/issue.ts';
import { isDue, type MonitorView, readView } from '../monitor/view.ts';
import { placeOf } from '../platform/place.ts';
import { randomHex } from '../platform/random.ts';
import type { Project } from '../project/open.ts';
import { fieldOf } from '../projections/bounds.ts';
import { readEvents } from '../projections/events.ts';
import { type Handoff, handoffs, handoffsOf } from '../projections/folds/handoffs.ts';
import { drainInbox } from '../timetravel/append.ts';
import { headOfRepository } from '../workspace/head.ts';

type Word = 'reason' | 'note' | 'nextSteps' | 'rejected' | 'summary' | 'issue';
/** Who gets one in any case. */
export type ByHand = 'manual' | 'tool' | 'loop';
const BY_HAND: readonly string[] = ['manual', 'tool', 'loop'] satisfies ByHand[];

type Words = { [K in Word]?: CheckpointBegun[K] | undefined };

/** Who asks for a checkpoint, and what they give along. */
export interface Asked extends Words {
  trigger: CheckpointBegun['trigger'];
  session: string | null;
  source: Source;
  cwd?: string | undefined;
  /** Nothing is committed. */
  isWipOff?: boolean;
  /** How long git may take, milliseconds. */
  gitMs?: number;
  /** How long to wait for another process that takes one, milliseconds. */
  waitMs?: number;
}

export function stateNow(project: Project) {
  drainInbox(project);
  return project.states.at(handoffs, null).state;
}

/**
 * @returns undefined if nothing is due, or nothing happened since the last one; no name of a fact if somebody asked for it by hand, who
 *   may do so again; what is known of it if it was begun already, and not ended
 */
export function begunFor(project: Project, asked: Asked, issuePattern: string) {
  const { session, trigger, reason, note, nextSteps, rejected, summary } = asked;
  const view = session === null ? undefined : readView(project.root, session);
  const epoch = view?.epoch ?? 'start';
  const due = dueNow(project, asked, view, epoch);
  if (due === undefined && !BY_HAND.includes(trigger)) return undefined;
  const place = placeOf(project.dir, asked.cwd);
  const branch = headOfRepository(place.dir)?.branch;
  const data = defined<CheckpointBegun>({
    checkpoint: due?.id ?? randomHex(project.ports.random, 8),
    level: due?.level ?? 'manual',
    trigger,
    epoch,
    worktree: place.worktree,
    issue: asked.issue ?? view?.issue ?? issueIn(issuePattern, [branch ?? '']) ?? undefined,
    percent: view?.percent ?? undefined,
    isWipOff: asked.isWipOff === true ? true : undefined,
    ...{ reason, note, nextSteps, rejected, summary },
  });
  return { data, name: due?.name, known: due?.known };
}

/** What is due by itself, which has one id whoever finds it. */
function dueNow(
  project: Project,
  { session, trigger }: Asked,
  view: MonitorView | undefined,
  epoch: string,
) {
  const state = stateNow(project);
  const level = dueLevel(trigger, view);
  if (level === undefined) return undefined;
  const last = handoffsOf(state).find((one) => one.session === session);
  const isByEvents = level === 'C' || level === 'manual';
  const key = isByEvents ? `${level}:${last?.handoff.seq ?? 0}` : level;
  const name = fact.monitor('checkpoint', epoch, key);
  const id = factId(session ?? '', name)
    .toString('hex')
    .slice(0, 16);
  const known = fieldOf(state.checkpoints, id);
  const isTaken = known !== undefined && known.handoff !== null;
  return isTaken || !isNews(project, level, epoch, last) ? undefined : { level, name, id, known };
}

function dueLevel(
  trigger: Asked['trigger'],
  view: MonitorView | undefined,
): CheckpointBegun['level'] | undefined {
  if (trigger === 'pre-compact') return 'C';
  // A loop hands on what its client leaves behind, however full the context was.
  if (view === undefined || !isDue(view)) return trigger === 'loop' ? 'manual' : undefined;
  return view.level === 'L3' ? 'L3' : 'L2';
}

/** L2 is taken once; who goes on working gets a new one at L3 or before a compaction. */
function isNews(
  { reader, ports }: Project,
  level: string,
  epoch: string,
  last: Handoff | undefined,
): boolean {
  // What no session reports cannot be told to be old.
  if (last === undefined || last.session === null) return true;
  if (level === 'L2' && last.epoch === epoch) return false;
  const types = ['prompt.submitted', 'tool.called'];
  const since = { from: last.handoff.seq, types, session: last.session, isLazy: true };
  return readEvents(reader, ports.xxh64, since).next().done !== true;
}
