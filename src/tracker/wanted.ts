import { factId } from '../events/identity.ts';
import { Tree } from '../handoff/tree.ts';
import { issueIn } from '../monitor/issue.ts';
import { type PlanStatus, planStatus } from '../monitor/plans.ts';
import type { Ben10Config } from '../platform/config/keys.ts';
import type { Project } from '../project/open.ts';
import { fieldOf } from '../projections/bounds.ts';
import { deliveries } from '../projections/folds/deliveries.ts';
import { type Handoff, handoffs, handoffsOf } from '../projections/folds/handoffs.ts';
import { headOfRepository } from '../workspace/head.ts';
import { checklistText, commentText, shardText, webUrl } from './words.ts';

export type Settings = Pick<Ben10Config, 'tracker' | 'handoff' | 'monitor'>;

/** A delivery of one checkpoint or plan. */
export interface Delivery {
  checkpoint?: string;
  plan?: string;
  session: string | null;
  what: string;
}

type What =
  | { kind: 'comment'; id: string; text(): string }
  | { kind: 'shard'; id: string; title: string; text(): string }
  | { kind: 'attachment'; title: string; url: string }
  /** Its state and label. */
  | { kind: 'issue' };

/** What the tracker is to be told; telling it twice is the same as once. Texts are made when they are needed. */
export type Effect = What & { of: Delivery[] };

export interface Wanted {
  issue: string;
  effects: Effect[];
}

/** What is older is not told any more. */
const RECENT_MS = 7 * 86_400_000;
/** How long it counts how an issue stands. */
const FRESH_MS = 3_600_000;

/** What the tracker does not know yet of this project's checkpoints and plans, by issue; the one in work also if only its facts are old. */
export function wanted(project: Project, settings: Settings): Wanted[] {
  const { states, ports } = project;
  const now = ports.clock.now();
  const { delivered, issues } = states.at(deliveries, null).state;
  const all = new Map<string, Map<string, Effect>>();
  const isKnown = ({ checkpoint, plan, what }: Delivery) =>
    fieldOf(fieldOf(delivered, checkpoint ?? plan!) ?? {}, what) !== undefined;
  /** @param key deliveries of the same key are one effect @param make undefined: there is nothing to tell */
  const want = (issue: string, key: string, one: Delivery, make: () => What | undefined) => {
    if (isKnown(one)) return;
    const effects = all.get(issue) ?? new Map<string, Effect>();
    const what = effects.get(key) ?? make();
    if (what === undefined) return;
    effects.set(key, { ...what, of: [...(effects.get(key)?.of ?? []), one] });
    all.set(issue, effects);
  };
  const handed = handoffsOf(states.at(handoffs, null).state);
  for (const one of handed)
    if (one.handoff.at > now - RECENT_MS) ofHandoff(project, settings, one, handed, want);
  if (settings.tracker.kind === 'linear')
    for (const plan of planStatus(project)) {
      const isRecent = plan.at > now - RECENT_MS;
      if (isRecent || fieldOf(delivered, plan.plan) !== undefined)
        ofPlan(project, plan, isRecent, want);
    }
  const branch = headOfRepository(project.dir)?.branch ?? '';
  const current = issueIn(settings.monitor.issuePattern, [branch]);
  const isStale = (issue: string) => !(now - (fieldOf(issues, issue)?.at ?? 0) < FRESH_MS);
  if (current !== null && !all.has(current) && isStale(current)) all.set(current, new Map());
  return [...all].map(([issue, effects]) => ({ issue, effects: [...effects.values()] }));
}

type Want = (issue: string, key: string, one: Delivery, make: () => What | undefined) => void;

function ofHandoff(
  project: Project,
  { tracker, handoff: { commit } }: Settings,
  { issue, session, checkpoint, worktree, handoff }: Handoff,
  handed: readonly Handoff[],
  want: Want,
): void {
  if (issue === undefined) return;
  const id = uuidOf(session ?? project.reader.origin() ?? '', `comment of ${issue}`);
  const of = { checkpoint, session };
  want(issue, id, { ...of, what: 'comment' }, () => {
    const own = handed.filter((one) => one.issue === issue && one.session === session);
    return { kind: 'comment', id, text: () => commentText(project, tracker, own) };
  });
  want(issue, 'issue', { ...of, what: 'issue' }, () => ({ kind: 'issue' }));
  if (tracker.kind !== 'linear' || !commit) return;
  want(issue, checkpoint, { ...of, what: 'attachment' }, () => {
    const url = webUrl(new Tree(project, worktree), handoff);
    const title = project.redact(handoff.title);
    return url === '' ? undefined : { kind: 'attachment', title, url };
  });
}

function ofPlan(project: Project, status: PlanStatus, isRecent: boolean, want: Want): void {
  const { plan, shards, issue } = status;
  if (issue === undefined) return;
  const of = { plan, session: null };
  for (const [index, { title }] of isRecent ? shards.entries() : []) {
    const what = `shard:${index + 1}`;
    want(issue, `${plan} ${what}`, { ...of, what }, () => ({
      kind: 'shard',
      id: uuidOf(plan, what),
      title: project.redact(`${title} (${index + 1}/${shards.length})`),
      text: () => shardText(project, status, index),
    }));
  }
  const what = `checklist:${shards.map(({ done, items }) => (done === items.length ? 1 : 0)).join('')}`;
  want(issue, plan, { ...of, what }, () => ({
    kind: 'comment',
    id: uuidOf(plan, `comment of ${issue}`),
    text: () => checklistText(project, status),
  }));
}

/** The same names give the same UUID, in the form of version 4: who creates a thing again finds it there. */
export function uuidOf(of: string, name: string): string {
  const bytes = factId(of, `tracker:${name}`);
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
