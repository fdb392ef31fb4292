import { factId } from '../events/identity.ts';
import { Tree } from '../handoff/tree.ts';
import { issueIn } from '../monitor/issue.ts';
import { type PlanStatus, planStatus, plansOf } from '../monitor/plans.ts';
import type { Ben10Config } from '../platform/config/keys.ts';
import type { Project } from '../project/open.ts';
import { fieldOf } from '../projections/bounds.ts';
import { type DeliveriesState, deliveries } from '../projections/folds/deliveries.ts';
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

/** What the tracker is to be told; telling it twice is the same as once. Texts are made when they are needed. */
export type Effect = { of: Delivery[] } & (
  | { kind: 'comment'; id: string; text(): string }
  | { kind: 'shard'; id: string; title: string; text(): string }
  | { kind: 'attachment'; title: string; url: string }
  /** Its state and label. */
  | { kind: 'issue' }
);

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
  const { state: known } = states.at(deliveries, null);
  const all = new Map<string, Effect[]>();
  const want = (issue: string, effects: Effect[]) => {
    if (effects.length > 0) all.set(issue, [...(all.get(issue) ?? []), ...effects]);
  };
  const handed = handoffsOf(states.at(handoffs, null).state);
  const recent = handed.filter((one) => one.handoff.at > now - RECENT_MS);
  for (const [issue, own] of grouped(recent, (one) => one.issue))
    if (issue !== undefined) want(issue, ofHandoffs(project, settings, known, own, handed));
  if (settings.tracker.kind === 'linear')
    for (const plan of planStatus(project))
      if (plan.issue !== undefined) want(plan.issue, ofPlan(project, known, plan, now));
  const branch = headOfRepository(project.dir)?.branch ?? '';
  const current = issueIn(settings.monitor.issuePattern, [branch]);
  const isStale = (issue: string) => !(now - (fieldOf(known.issues, issue)?.at ?? 0) < FRESH_MS);
  if (current !== null && !all.has(current) && isStale(current)) all.set(current, []);
  return [...all].map(([issue, effects]) => ({ issue, effects }));
}

function grouped<K>(all: readonly Handoff[], keyOf: (one: Handoff) => K): Map<K, Handoff[]> {
  const groups = new Map<K, Handoff[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}

const isKnown = ({ delivered }: DeliveriesState, name: string, what: string): boolean =>
  fieldOf(fieldOf(delivered, name) ?? {}, what) !== undefined;

/** @param own of one issue @param handed all of them, the newest first */
function ofHandoffs(
  project: Project,
  settings: Settings,
  known: DeliveriesState,
  own: readonly Handoff[],
  handed: readonly Handoff[],
): Effect[] {
  const { issue } = own[0]!;
  const open = (what: string, some = own): Delivery[] =>
    some
      .filter(({ checkpoint }) => !isKnown(known, checkpoint, what))
      .map(({ checkpoint, session }) => ({ checkpoint, session, what }));
  const effects: Effect[] = [];
  for (const [session, theirs] of grouped(own, (one) => one.session)) {
    const of = open('comment', theirs);
    const id = uuidOf(session ?? project.reader.origin() ?? '', `comment of ${issue}`);
    const said = handed.filter((one) => one.issue === issue && one.session === session);
    const text = () => commentText(project, settings.tracker, said);
    if (of.length > 0) effects.push({ kind: 'comment', of, id, text });
  }
  const of = open('issue');
  if (of.length > 0) effects.push({ kind: 'issue', of });
  if (settings.tracker.kind !== 'linear' || !settings.handoff.commit) return effects;
  for (const one of own) {
    const missing = open('attachment', [one]);
    const url = missing.length > 0 ? webUrl(new Tree(project, one.worktree), one.handoff) : '';
    const title = project.redact(one.handoff.title);
    if (url !== '') effects.push({ kind: 'attachment', of: missing, title, url });
  }
  return effects;
}

function ofPlan(
  project: Project,
  known: DeliveriesState,
  { plan, shards, at, source, issue }: PlanStatus,
  now: number,
): Effect[] {
  const session = null;
  const { data } = plansOf(project).find((one) => one.data.plan === plan)!;
  const told = fieldOf(known.delivered, plan) ?? {};
  const isRecent = at > now - RECENT_MS;
  const made = shards.flatMap(({ title }, index): Effect[] => {
    const what = `shard:${index + 1}`;
    if (!isRecent || isKnown(known, plan, what)) return [];
    const text = () => shardText(project, data, index);
    const id = uuidOf(plan, what);
    const name = project.redact(`${title} (${index + 1}/${shards.length})`);
    return [{ kind: 'shard', of: [{ plan, session, what }], id, title: name, text }];
  });
  const what = `checklist:${shards.map(({ done, items }) => (done === items ? 1 : 0)).join('')}`;
  const isBegun = isRecent || Object.keys(told).some((one) => one.startsWith('checklist:'));
  if (!isBegun || isKnown(known, plan, what)) return made;
  const text = () => {
    const { delivered } = project.states.at(deliveries, null).state;
    return checklistText(project, source, shards, fieldOf(delivered, plan) ?? {});
  };
  const id = uuidOf(plan, `comment of ${issue}`);
  return [...made, { kind: 'comment', of: [{ plan, session, what }], id, text }];
}

/** The same names give the same UUID, in the form of version 4: who creates a thing again finds it there. */
export function uuidOf(...[of, name]: [string, string]): string {
  const bytes = factId(of, `tracker:${name}`);
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
