import * as z from 'zod';
import { verified } from '../../handoff/of-project.ts';
import { verdictLines } from '../../handoff/orient.ts';
import { randomHex } from '../../platform/random.ts';
import { fence } from '../../projections/safe-text.ts';
import { textAnswer } from '../answer.ts';
import { defineTool, READ_ONLY } from '../tool.ts';
import { HANDOFF } from './orient.ts';

export const verifyHandoffTool = defineTool({
  name: 'verify_handoff',
  title: 'Verify a handoff',
  description:
    'Checks each claim of a handoff against journal and tree: what holds no more, and by whom.',
  annotations: READ_ONLY,
  input: z.strictObject({ handoff: HANDOFF }),
  run({ handoff }, { project }) {
    const found = verified(project, process.cwd(), handoff);
    const text = project.redact(verdictLines(found, 40).join('\n'));
    return textAnswer(fence(text, randomHex(project.ports.random, 8)));
  },
});
