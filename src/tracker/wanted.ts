import { factId } from '../events/identity.ts';
import type { TrackerDelivered } from '../events/types.ts';
import { Tree } from '../handoff/tree.ts';
import { issueIn } from '../monitor/issue.ts';
import { planStatus } from '../monitor/plans.ts';
import type { Ben10Config } from '../platform/config/keys.ts';
import type { Project } from '../project/open.ts';
import { fieldOf } from '../projections/bounds.ts';
import { deliveries } from '../projections/folds/deliveries.ts';
import { handoffs, handoffsOf } from '../projections/folds/handoffs.ts';
import { headOfRepository } from '../workspace/head.ts';
import { checklistText, commentText, shardText, webUrl } from './words.ts';

export type Settings = Pick<Ben10Config, 'tracker' | 'handoff' | 'monitor'>;

/** What was told, of which checkpoint or plan. */
export type Delivery = Pick<TrackerDelivered, 'checkpoint' | 'plan' | 'what'>;

type What =
  | { kind: 'comment'; id: string; text(): string }
  | { kind: 'shard'; id: string; title: string; text(): string }
  | { kind: 'attachment'; title: string; url: string }
  /** Its state and label. */
  | { kind: 'issue' };

/** What the tracker is to be told; telling it twice is the same as once. Texts are made when they are needed. */
export type Effect = What & { of: Delivery; session: string | null };

/** What is older is not told any more. */
const RECENT_MS = 7 * 86_400_000;
/** How long it counts how an issue stands. */
const FRESH_MS = 3_600_000;

/** What the tracker does not know yet of this project's checkpoints and plans, by issue; the one in work also if only its facts are old. */
export function wanted(project: Project, settings: Settings): Map<string, Effect[]> {
  const { states, ports, redact } = project;
  const { tracker, handoff: kept, monitor } = settings;
  const now = ports.clock.now();
  const { delivered, issues } = states.at(deliveries, null).state;
  const all = new Map<string, Effect[]>();
  const want = (issue: string, of: Delivery, session: string | null, make: () => What | null) => {
    if (fieldOf(fieldOf(delivered, of.checkpoint ?? of.plan!) ?? {}, of.what) !== undefined) return;
    const what = make();
    if (what !== null) all.set(issue, [...(all.get(issue) ?? []), { ...what, of, session }]);
  };

  // The newest first: what tells of it tells of all before it.
  const handed = handoffsOf(states.at(handoffs, null).state);
  const toldBefore = new Set<string>();
  for (const one of handed.filter(({ handoff }) => handoff.at > now - RECENT_MS)) {
    const { issue, session, checkpoint, worktree, handoff } = one;
    if (issue === undefined) continue;
    const id = uuidOf(session ?? project.reader.origin() ?? '', `comment of ${issue}`);
    if (!toldBefore.has(id))
      want(issue, { checkpoint, what: 'comment' }, session, () => {
        const own = handed.filter((other) => other.issue === issue && other.session === session);
        return { kind: 'comment', id, text: () => commentText(project, tracker, own) };
      });
    if (!toldBefore.has(issue))
      want(issue, { checkpoint, what: 'issue' }, session, () => ({ kind: 'issue' }));
    toldBefore.add(id).add(issue);
    if (tracker.kind === 'linear' && kept.commit)
      want(issue, { checkpoint, what: 'attachment' }, session, () => {
        const url = webUrl(new Tree(project, worktree), handoff);
        return url === '' ? null : { kind: 'attachment', title: redact(handoff.title), url };
      });
  }

  for (const status of tracker.kind === 'linear' ? planStatus(project) : []) {
    const { plan, shards, issue, at } = status;
    const isRecent = at > now - RECENT_MS;
    if (issue === undefined || !(isRecent || fieldOf(delivered, plan) !== undefined)) continue;
    for (const [index, { title }] of isRecent ? shards.entries() : []) {
      const what = `shard:${index + 1}`;
      want(issue, { plan, what }, null, () => ({
        kind: 'shard',
        id: uuidOf(plan, what),
        title: redact(`${title} (${index + 1}/${shards.length})`),
        text: () => shardText(project, status, index),
      }));
    }
    const ticks = shards.map(({ done, items }) => (done === items.length ? 1 : 0)).join('');
    want(issue, { plan, what: `checklist:${ticks}` }, null, () => ({
      kind: 'comment',
      id: uuidOf(plan, `comment of ${issue}`),
      text: () => checklistText(project, status),
    }));
  }

  const current = issueIn(monitor.issuePattern, [headOfRepository(project.dir)?.branch ?? '']);
  const isFresh = (issue: string) => now - (fieldOf(issues, issue)?.at ?? 0) < FRESH_MS;
  if (current !== null && !all.has(current) && !isFresh(current)) all.set(current, []);
  return all;
}

/** The same names give the same UUID, in the form of version 4: who creates a thing again finds it there. */
export function uuidOf(of: string, name: string): string {
  const bytes = factId(of, `tracker:${name}`);
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
