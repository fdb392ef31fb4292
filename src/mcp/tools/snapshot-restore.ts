import * as z from 'zod';
import { restore } from '../../timetravel/restore.ts';
import { findSnapshot } from '../../timetravel/snapshots/indexed.ts';
import { textAnswer } from '../answer.ts';
import { decodeCursor, encodeCursor } from '../cursor.ts';
import { defineTool } from '../tool.ts';
import { TOKENS } from './restore.ts';

const NAME = 'ben10_snapshot_restore';

const own = z.strictObject({
  id: z.string().describe('Or its start.'),
  mode: z.enum(['full', 'summary']).optional(),
  budget: TOKENS,
  // The same under its first name.
  budgetTokens: TOKENS,
});

export const snapshotRestoreTool = defineTool({
  name: NAME,
  title: 'Give back a compaction snapshot',
  description:
    'The context as it was before a compaction, as text. As a point elsewhere: @snapshot:ID.',
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  writesNotesOnly: true,
  input: own.extend({ cursor: z.string().optional() }),
  run({ cursor, ...first }, context) {
    const { args, position } =
      cursor === undefined ? { args: first, position: 1 } : decodeCursor(NAME, cursor, own);
    const { id } = findSnapshot(context.project, args.id);
    const given = restore(context.project, {
      point: `@snapshot:${id}`,
      mode: args.mode ?? 'summary',
      budgetTokens: args.budget ?? args.budgetTokens,
      page: position,
      source: 'tool',
    });
    if (given.recorded) context.touched();
    for (const told of given.notes) if (told.includes('_CORRUPTED')) context.log.warn(told);
    const { text, page, pages } = given;
    if (page >= pages) return textAnswer(text);
    const next = encodeCursor(NAME, { ...args, id }, page + 1);
    return textAnswer(
      `Page ${page} of ${pages}. For the next call ${NAME} with this id and cursor "${next}".\n${text}`,
    );
  },
});
