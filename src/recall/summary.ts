import type { CompactionFinished } from '../events/types.ts';
import type { Project } from '../project/open.ts';
import { context } from '../projections/folds/context.ts';
import type { Cut } from '../projections/gather.ts';
import { textOf } from '../projections/tools-text.ts';

/**
 * What the client put in the conversation's place, when the journal has it already: at the session's start it mostly has
 * not, with the next prompt it has.
 * @param since when the compaction began, milliseconds
 * @returns empty when it is not known
 */
export function summarySince(project: Project, session: string, since: number, cut: Cut): string {
  const newest = project.states.at(context, session, cut).state.conversation.compactions.at(-1);
  if (newest === undefined || newest.at < since) return '';
  // The state has only how it starts.
  const placed = project.states.facts(session, ['compaction.finished'], cut);
  const found = placed.findLast(({ fact }) => fact.seq === newest.seq);
  return found === undefined ? '' : (textOf((found.fact.data as CompactionFinished).summary) ?? '');
}
