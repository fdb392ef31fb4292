import * as z from 'zod';
import { cleanText } from '../../projections/safe-text.ts';
import { type ClearedContext, clear, whatClears } from '../../timetravel/clear.ts';
import { dataAnswer } from '../answer.ts';
import type { Reply } from '../asking.ts';
import { catchUpBehindClient } from '../catching-up.ts';
import { defineTool, WRITES } from '../tool.ts';

export const clearTool = defineTool({
  name: 'ben10_clear',
  title: 'Start an empty context',
  description:
    'Starts an empty context. Asks the user first. Nothing is deleted: ben10_restore of the point in the answer undoes it.',
  annotations: WRITES,
  input: z.strictObject({
    force: z.boolean().optional().describe('Do not ask: the user said so.'),
  }),
  output: z.looseObject({
    cleared: z.boolean(),
    session: z.string(),
    seq: z.int(),
    messages: z.int(),
    files: z.int(),
    toolExecutions: z.int(),
    next: z.string(),
  }),
  async run({ force = false }, context, ask) {
    await catchUpBehindClient(context);
    const asked = whatClears(context.project);
    const reply = force ? 'accept' : await ask?.(question(asked));
    // Another session may be active by now: clear the one that was asked about.
    const { session } = asked;
    if (reply !== 'accept') {
      const next = WHY_NOT[reply ?? 'cannot'];
      return dataAnswer({ cleared: false, ...whatClears(context.project, { session }), next });
    }
    const cleared = clear(context.project, { source: 'tool', session });
    context.touched();
    const next = `To undo it, call ben10_restore with point "@${cleared.seq}".`;
    return dataAnswer({ cleared: true, ...cleared, next });
  },
});

const question = ({ session, seq, messages, files, toolExecutions }: ClearedContext): string =>
  `Start an empty context? Of session ${cleanText(session).slice(0, 8)} this leaves behind: messages ${messages}, files ${files}, ` +
  `tool calls ${toolExecutions}. Nothing is deleted; restoring @${seq} brings it back.`;

const WHY_NOT: Record<Exclude<Reply, 'accept'> | 'cannot', string> = {
  decline: 'The user said no. Leave the context as it is.',
  cancel: 'The user closed the question. Leave the context as it is, or ask what they want.',
  unanswered: 'Nobody answered. Ask the user; when they agree, call ben10_clear with force: true.',
  cannot:
    'This would be left behind; nothing was done. Ask the user; when they agree, call ben10_clear with force: true.',
};
