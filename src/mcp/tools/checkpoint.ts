import * as z from 'zod';
import { checkpoint } from '../../timetravel/saves.ts';
import { dataAnswer } from '../answer.ts';
import { catchUpBehindClient } from '../catching-up.ts';
import { defineTool } from '../tool.ts';

export const checkpointTool = defineTool({
  name: 'ben10_checkpoint',
  title: 'Mark a checkpoint',
  description:
    'Marks this moment as @checkpoint:-1 and stores the state, so that it can be compared with and returned to. Call it between steps; for something to be found by name use ben10_save.',
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
  },
  input: z.strictObject({}),
  output: z.looseObject({ seq: z.int(), projections: z.array(z.string()), bytes: z.int() }),
  async run(_input, context) {
    await catchUpBehindClient(context);
    const made = checkpoint(context.project, { source: 'tool' });
    context.touched();
    return dataAnswer(made);
  },
});
