import type { Project } from '../project/open.ts';
import { type ContextState, context } from '../projections/folds/context.ts';
import type { SessionRecord } from '../projections/folds/sessions.ts';
import { isOwnTool } from '../projections/tools-text.ts';
import { sessionsAt } from './sessions.ts';

/** Sessions that are looked into for work: each is folded. */
const LOOKED_AT_MAX = 20;

/**
 * The session that "go on with the earlier work" means where the newest one has only just begun: its first prompt is the
 * request itself. A context that was cleared is empty because somebody wanted it so, and stands for itself.
 * @returns undefined where the newest session has work of its own, or no earlier one has
 */
export function earlierWork(project: Project): string | undefined {
  const [newest, ...earlier] = sessionsAt(project);
  if (newest === undefined || mayHaveWork(newest, project)) return undefined;
  return earlier
    .filter(({ prompts, toolCalls }) => prompts + toolCalls > 0)
    .slice(0, LOOKED_AT_MAX)
    .find((one) => hasWork(one, stateOf(project, one)))?.session;
}

function mayHaveWork(newest: SessionRecord, project: Project): boolean {
  if (newest.prompts > 1) return true;
  const state = stateOf(project, newest);
  return state.cleared !== null || hasWork(newest, state);
}

const hasWork = ({ prompts }: SessionRecord, { tools, decisions }: ContextState): boolean =>
  prompts > 1 || decisions.length > 0 || Object.keys(tools.counts).some(isWork);

/** To look for a tool, or to ask ben10 for the earlier work, is none. */
const isWork = (tool: string): boolean => !isOwnTool(tool) && tool !== 'ToolSearch';

const stateOf = ({ states }: Project, { session }: SessionRecord): ContextState =>
  states.at(context, session).state;
