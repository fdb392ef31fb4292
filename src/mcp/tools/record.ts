import * as z from 'zod';
import { RECORD_TOOL } from '../../setup/hooks-table.ts';
import { silentAnswer } from '../answer.ts';
import { recordHook } from '../sink.ts';
import { defineTool, IDEMPOTENT } from '../tool.ts';

export const recordTool = defineTool({
  name: RECORD_TOOL,
  title: 'Record a hook event',
  description: 'For hooks only, never for you: records a hook event. Answers {}.',
  annotations: IDEMPOTENT,
  // Any input: the agent would see an error.
  input: z.looseObject({}),
  async run(args, context) {
    await recordHook(args, context);
    return silentAnswer();
  },
});
