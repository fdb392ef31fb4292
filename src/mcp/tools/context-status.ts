import * as z from 'zod';
import { advice } from '../../monitor/advice.ts';
import { momentOf } from '../../monitor/moments.ts';
import { viewOf } from '../../monitor/write-view.ts';
import { contextUse } from '../../projections/folds/context-use.ts';
import { dataAnswer } from '../answer.ts';
import type { ServerContext } from '../context.ts';
import { defineTool, READ_ONLY } from '../tool.ts';

/** How full the context of the last active session is; also the resource. */
export function contextStatus({ project, settings }: ServerContext): Record<string, unknown> {
  const session = project.states.activeSession() ?? '';
  const view = viewOf(project, session, settings.config.monitor);
  const { version: _, loop: _loop, alerted: _alerted, ...shown } = view;
  const moment = momentOf(project.states.at(contextUse, session).state.work);
  return { advice: advice(view), ...shown, moment };
}

export const contextStatusTool = defineTool({
  name: 'context_status',
  title: 'How full the context is',
  description: 'Percent, level, forecast, checkpoint, and what to do now.',
  annotations: READ_ONLY,
  input: z.strictObject({}),
  run: (_input, context) => dataAnswer(contextStatus(context)),
});
