import * as z from 'zod';
import { DEFER_POINTS, DEFER_POINTS_MAX, defer } from '../../monitor/defer.ts';
import { dataAnswer } from '../answer.ts';
import { defineTool, WRITES } from '../tool.ts';

export const deferCheckpointTool = defineTool({
  name: 'defer_checkpoint',
  title: 'Put a checkpoint off',
  description:
    'For one more small task: the checkpoint waits until the context has grown by so many percent. Twice at most, never at L3.',
  annotations: WRITES,
  input: z.strictObject({ points: z.int().min(1).max(DEFER_POINTS_MAX).default(DEFER_POINTS) }),
  run({ points }, context) {
    const { project, settings } = context;
    const session = project.states.activeSession() ?? '';
    const deferred = defer(project, session, settings.config.monitor, points, 'tool');
    context.touched();
    return dataAnswer(deferred);
  },
});
