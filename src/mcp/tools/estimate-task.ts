import * as z from 'zod';
import { estimateOf, projectText } from '../../monitor/estimate.ts';
import { planSessions } from '../../monitor/session-plan.ts';
import { viewOf } from '../../monitor/write-view.ts';
import { dataAnswer, QUOTED } from '../answer.ts';
import { defineTool, READ_ONLY } from '../tool.ts';

export const estimateTaskTool = defineTool({
  name: 'estimate_task',
  title: 'Estimate the size of a task',
  description: 'Tokens that a task will take, and whether it fits. Call it before large work.',
  annotations: READ_ONLY,
  input: z.strictObject({
    task: z.string().max(100_000).optional().describe('In words.'),
    file: z.string().max(1000).optional(),
    plan: z.boolean().optional().describe('Pack it, or open todos, into sessions.'),
  }),
  run({ task, file, plan }, { project, settings }) {
    const session = project.states.activeSession();
    if (plan === true) {
      const items = task ?? (file === undefined ? undefined : projectText(project, file));
      const view = viewOf(project, session ?? '', settings.config.monitor);
      return dataAnswer({ note: QUOTED, ...planSessions(project, view, items) });
    }
    const where = { project, settings: settings.config.monitor, session };
    const text = task ?? projectText(project, file ?? '');
    const { shards, learnt, features: _, ...found } = estimateOf(where, text);
    const { tasks, error } = learnt;
    const parts = shards.map((one) => ({ ...one, items: one.items.length }));
    return dataAnswer({ note: QUOTED, ...found, learnt: { tasks, error }, shards: parts });
  },
});
