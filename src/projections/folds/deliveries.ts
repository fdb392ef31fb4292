import type { TrackerDelivered, TrackerFailed, TrackerSeen } from '../../events/types.ts';
import { dropOldest, fieldOf, headOf, keyOf } from '../bounds.ts';
import { type Fact, foldedBy, type Projection } from '../contract.ts';

/** How an issue stood when the tracker was asked last. */
export interface IssueFacts extends Omit<TrackerSeen, 'issue'> {
  at: number;
}

export interface DeliveryFailure extends Pick<TrackerFailed, 'code' | 'attempt' | 'retryAt'> {
  at: number;
}

export interface DeliveriesState {
  /** By checkpoint or plan: the tracker's names of what it was told, by what. */
  delivered: Record<string, Record<string, string>>;
  /** Since the last success, by issue; `ALL` if nothing reaches the tracker. */
  failures: Record<string, DeliveryFailure>;
  issues: Record<string, IssueFacts>;
}

/** No issue's name. */
export const ALL = '';
const KEPT_MAX = 500;
const WHATS_MAX = 120;
const ISSUES_MAX = 100;
const NAME_CHARS = 100;
const TEXT_CHARS = 300;

/** What an issue tracker knows of this project's checkpoints and plans. */
export const deliveries: Projection<DeliveriesState> = {
  name: 'deliveries',
  version: 2,
  scope: 'project',
  initial: () => ({ delivered: {}, failures: {}, issues: {} }),
  ...foldedBy<DeliveriesState>({
    'tracker.delivered': delivered,
    'tracker.failed': failed,
    'tracker.seen': seen,
  }),
};

function delivered(state: DeliveriesState, { data }: Fact<TrackerDelivered>): void {
  const name = keyOf(headOf(data.checkpoint ?? data.plan ?? '', NAME_CHARS));
  const known = fieldOf(state.delivered, name) ?? {};
  known[keyOf(headOf(data.what, NAME_CHARS))] = headOf(data.remoteId ?? '', NAME_CHARS);
  dropOldest(known, WHATS_MAX);
  state.delivered[name] = known;
  dropOldest(state.delivered, KEPT_MAX);
  delete state.failures[ALL];
  delete state.failures[keyOf(headOf(data.issue, NAME_CHARS))];
}

function failed({ failures }: DeliveriesState, { at, data }: Fact<TrackerFailed>): void {
  const { code, attempt, retryAt, issue = ALL } = data;
  failures[keyOf(headOf(issue, NAME_CHARS))] = { code, attempt, retryAt, at };
  dropOldest(failures, ISSUES_MAX);
}

function seen({ issues }: DeliveriesState, { at, data }: Fact<TrackerSeen>): void {
  const name = keyOf(headOf(data.issue, NAME_CHARS));
  // The newest stand at the end.
  delete issues[name];
  issues[name] = {
    title: headOf(data.title, TEXT_CHARS),
    state: headOf(data.state, TEXT_CHARS),
    at,
  };
  dropOldest(issues, ISSUES_MAX);
}

/** What the tracker calls the sub-issues of a plan; empty where there is none yet. */
export const shardIssues = ({ delivered }: DeliveriesState, plan: string, count: number) =>
  Array.from(
    { length: count },
    (_, index) => fieldOf(fieldOf(delivered, plan) ?? {}, `shard:${index + 1}`) ?? '',
  );
