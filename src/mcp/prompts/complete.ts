import { listSaves } from '../../timetravel/saves.ts';
import { sessionsAt } from '../../timetravel/sessions.ts';
import type { ServerContext } from '../context.ts';
import type { PromptArgument } from './prompt.ts';

/** Ids of sessions with work in them, the last active first. */
export const workedSessions = ({ project }: ServerContext): string[] =>
  sessionsAt(project)
    .filter(({ prompts, toolCalls }) => prompts + toolCalls > 0)
    .map(({ session }) => session);

export function knownPoints(context: ServerContext): string[] {
  const known = sessionsAt(context.project);
  const sum = (of: 'prompts' | 'compactions') => known.reduce((all, one) => all + one[of], 0);
  const saves = listSaves(context.project).map(({ name }) => `@save:${name}`);
  return [
    ...(sum('prompts') > 0 ? ['@prompt:-1'] : []),
    ...(sum('compactions') > 0 ? ['@compaction:-1'] : []),
    ...new Set(saves.reverse()),
    ...workedSessions(context).map((session) => `@session:${session}`),
  ];
}

export const SESSION_ARGUMENT: PromptArgument = {
  name: 'session',
  description: 'An id or its start. Default: the last active session.',
  values: workedSessions,
};
