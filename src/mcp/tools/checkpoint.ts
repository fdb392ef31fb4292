import * as z from 'zod';
import { checkpoint } from '../../timetravel/saves.ts';
import { dataAnswer } from '../answer.ts';
import { catchUpBehindClient } from '../catching-up.ts';
import { defineTool, WRITES } from '../tool.ts';

export const checkpointTool = defineTool({
  name: 'ben10_checkpoint',
  title: 'Mark a checkpoint',
  description:
    'Stores the state as @checkpoint:-1, to compare with it or return to it. Call it between steps; to give a state a name use ben10_save.',
  annotations: WRITES,
  input: z.strictObject({}),
  output: z.looseObject({ seq: z.int(), projections: z.array(z.string()), bytes: z.int() }),
  async run(_input, context) {
    await catchUpBehindClient(context);
    const made = checkpoint(context.project, { source: 'tool' });
    context.touched();
    return dataAnswer(made);
  },
});
