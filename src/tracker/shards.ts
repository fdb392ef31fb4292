import { issueIn } from '../monitor/issue.ts';
import { type Cut, keepPlan } from '../monitor/plans.ts';
import { readView } from '../monitor/view.ts';
import { Ben10Error } from '../platform/errors.ts';
import { placeOf } from '../platform/place.ts';
import type { Project } from '../project/open.ts';
import { deliveries, shardIssues } from '../projections/folds/deliveries.ts';
import { headOfRepository } from '../workspace/head.ts';
import { deliverDue, type Way } from './deliver.ts';
import type { Settings } from './wanted.ts';

/** The issue in work, whose sub-issues shards become. @throws Ben10Error USAGE if there is none, or no Linear */
export function parentIssue(
  project: Project,
  { tracker, monitor }: Settings,
  cwd: string | undefined,
): string {
  if (tracker.kind !== 'linear')
    throw new Ben10Error('USAGE', 'sub-issues are made in Linear alone', {
      next: 'Switch it on: ben10 config set tracker.kind linear',
    });
  const session = project.states.activeSession();
  const known = session == null ? undefined : readView(project.root, session)?.issue;
  const branch = headOfRepository(placeOf(project.dir, cwd).dir)?.branch ?? '';
  const issue = issueIn(monitor.issuePattern, [branch]) ?? known;
  if (issue != null) return issue;
  throw new Ben10Error('USAGE', 'no issue is in work', {
    next: 'Name the branch by it, or say in monitor.issuePattern what an issue is called.',
  });
}

/**
 * Keeps a plan, and has its shards made sub-issues of the issue, if there is one.
 * @returns its name, and what Linear calls the sub-issues, as far as they were made
 */
export async function keepShards(
  project: Project,
  settings: Settings,
  cut: Cut,
  way: Way,
): Promise<{ plan: string; issues: string[] }> {
  const plan = keepPlan(project, cut);
  if (cut.issue === undefined) return { plan, issues: [] };
  await deliverDue(project, settings, way);
  const { state } = project.states.at(deliveries, null);
  return {
    plan,
    issues: shardIssues(state, plan, cut.shards.length).filter((name) => name !== ''),
  };
}
