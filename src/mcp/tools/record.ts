import * as z from 'zod';
import { RECORD_TOOL } from '../../setup/hooks-table.ts';
import { silentAnswer } from '../answer.ts';
import { recordHook } from '../sink.ts';
import { defineTool } from '../tool.ts';

export const recordTool = defineTool({
  name: RECORD_TOOL,
  title: 'Record a hook event',
  description: 'For hooks only, never for you: appends a hook event to the journal. Answers {}.',
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  // Whatever a hook sends is taken: a complaint would be put before the agent.
  input: z.looseObject({}),
  async run(args, context) {
    await recordHook(args, context);
    return silentAnswer();
  },
});
