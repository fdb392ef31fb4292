import * as z from 'zod';
import { CONCEPTS } from '../../handoff/document.ts';
import { takeByHand } from '../../handoff/take.ts';
import { dataAnswer } from '../answer.ts';
import { defineTool, WRITES } from '../tool.ts';

const words = z.string().max(2000);
const list = z.array(words).max(20);

export const createHandoffTool = defineTool({
  name: 'create_handoff',
  title: 'Hand the work off',
  description:
    'Commits work in progress and writes a handoff for the next session. Call it when told that the context is full; then end the turn.',
  annotations: WRITES,
  input: z.strictObject({
    next_steps: list,
    rejected: list.optional().describe('Tried and dropped, and why.'),
    summary: words.optional(),
    reason: words.optional(),
    issue: z.string().max(80).optional(),
  }),
  run({ next_steps: nextSteps, ...given }, context) {
    const { project } = context;
    const session = project.states.activeSession() ?? null;
    const by = { session, trigger: 'tool', source: 'tool', cwd: process.cwd() } as const;
    const taken = takeByHand(project, { ...by, nextSteps, ...given }, context.settings.config);
    context.touched();
    const { checkpoint, title, file, wip, notCommitted, resume } = taken;
    return dataAnswer({
      handoff: checkpoint,
      title,
      type: 'change',
      concepts: CONCEPTS,
      file,
      wip: wip?.commit ?? null,
      not_committed: notCommitted,
      resume,
    });
  },
});
