import type { Project } from '../project/open.ts';
import { context } from '../projections/folds/context.ts';
import type { SessionRecord } from '../projections/folds/sessions.ts';
import { isOwnTool } from '../projections/tools-text.ts';
import { sessionsAt } from './sessions.ts';

/** Sessions that are looked into for work: each is folded, and most have only begun. */
const LOOKED_AT_MAX = 20;

/**
 * The session that "go on with the earlier work" means where the newest one has only just begun: its first prompt is the
 * request itself. A context that was cleared is empty because somebody wanted it so, and stands for itself.
 * @returns undefined where the newest session has work of its own, or no earlier one has
 */
export function earlierWork(project: Project): string | undefined {
  const [newest, ...earlier] = sessionsAt(project);
  if (newest === undefined || standsForItself(newest, project)) return undefined;
  return earlier.slice(0, LOOKED_AT_MAX).find((one) => standsForItself(one, project))?.session;
}

function standsForItself(one: SessionRecord, { states }: Project): boolean {
  if (one.prompts > 1) return true;
  const { cleared, decisions, tools } = states.at(context, one.session).state;
  return cleared !== null || decisions.length > 0 || Object.keys(tools.counts).some(isWork);
}

/** To look for a tool, or to ask ben10 for the earlier work, is none. */
const isWork = (tool: string): boolean => !isOwnTool(tool) && tool !== 'ToolSearch';
