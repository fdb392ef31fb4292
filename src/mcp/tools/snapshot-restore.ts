import * as z from 'zod';
import { BUDGET_TOKENS_MIN, restore } from '../../timetravel/restore.ts';
import { findSnapshot } from '../../timetravel/snapshots/indexed.ts';
import { textAnswer } from '../answer.ts';
import { decodeCursor, encodeCursor } from '../cursor.ts';
import { defineTool } from '../tool.ts';
import { BUDGET_MAX } from './restore.ts';

const NAME = 'ben10_snapshot_restore';

const own = z.strictObject({
  id: z.string().describe('Or the start of it.'),
  mode: z.enum(['full', 'summary']).optional(),
  budgetTokens: z.int().min(BUDGET_TOKENS_MIN).max(BUDGET_MAX).optional(),
});

export const snapshotRestoreTool = defineTool({
  name: NAME,
  title: 'Give back a compaction snapshot',
  description:
    'Gives back, as text, the context as it was before a compaction. Also a point for the other tools: @snapshot:ID.',
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  input: own.extend({ cursor: z.string().optional() }),
  run({ cursor, ...first }, context) {
    const { args, position } =
      cursor === undefined ? { args: first, position: 1 } : decodeCursor(NAME, cursor, own);
    const { id } = findSnapshot(context.project, args.id);
    const given = restore(context.project, {
      point: `@snapshot:${id}`,
      mode: args.mode ?? 'summary',
      budgetTokens: args.budgetTokens,
      page: position,
      source: 'tool',
    });
    if (given.recorded) context.touched();
    const { text, page, pages } = given;
    if (page >= pages) return textAnswer(text);
    const next = encodeCursor(NAME, { ...args, id }, page + 1);
    return textAnswer(
      `Page ${page} of ${pages}. For the next call ${NAME} with this id and cursor "${next}".\n${text}`,
    );
  },
});
