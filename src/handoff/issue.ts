import { TRACKERS } from '../monitor/issue.ts';
import type { Project } from '../project/open.ts';
import { fieldOf } from '../projections/bounds.ts';
import { ALL, deliveries } from '../projections/folds/deliveries.ts';
import type { Clean } from '../workspace/clean.ts';

const TITLE_CHARS = 120;
const STATE_CHARS = 40;

/** What is known of an issue, and since when. Nobody is asked: that is done in the background. */
export function issueLine(
  { states, tracker }: Project,
  issue: string | undefined,
  clean: Clean,
): string {
  const name = TRACKERS[tracker.kind];
  const without = issue === undefined ? 'No issue is known.' : `${issue}.`;
  if (name === undefined) return `${without} No tracker is configured.`;
  if (issue === undefined) return without;
  const { issues, failures } = states.at(deliveries, null).state;
  const facts = fieldOf(issues, issue);
  const failed = fieldOf(failures, ALL) ?? fieldOf(failures, issue);
  const known =
    facts === undefined
      ? `${without} How it stands is not known yet.`
      : `${issue}: “${clean(facts.title, TITLE_CHARS)}”, ${clean(facts.state, STATE_CHARS)}, as of ${timeOf(facts.at)} (${name}).`;
  if (failed === undefined || failed.at < (facts?.at ?? 0)) return known;
  return `${known} ${name} did not answer at ${timeOf(failed.at)}: ${failed.code}.`;
}

const timeOf = (at: number): string =>
  `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
