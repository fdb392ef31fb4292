import * as z from 'zod';
import { save } from '../../timetravel/saves.ts';
import { dataAnswer } from '../answer.ts';
import { catchUpBehindClient } from '../catching-up.ts';
import { defineTool, WRITES } from '../tool.ts';

export const saveTool = defineTool({
  name: 'ben10_save',
  title: 'Save the context under a name',
  description:
    'Saves what the session knows, did and has open, under a name. Call it before risky work or after a stage; ben10_restore gives it back in any later session, and @save:NAME is a point.',
  annotations: WRITES,
  input: z.strictObject({
    name: z.string().optional().describe('Up to 100 characters. Default: the time.'),
  }),
  output: z.looseObject({
    name: z.string(),
    seq: z.int(),
    file: z.string(),
    bytes: z.int(),
  }),
  async run({ name }, context) {
    await catchUpBehindClient(context);
    const saved = save(context.project, { name, source: 'tool' });
    context.touched();
    return dataAnswer(saved);
  },
});
