import * as z from 'zod';
import { restore } from '../../timetravel/restore.ts';
import { findSnapshot } from '../../timetravel/snapshots/indexed.ts';
import { PAGED, pageAsked } from '../cursor.ts';
import { defineTool, IDEMPOTENT } from '../tool.ts';
import { restoredPage, TOKENS } from './restore.ts';

const NAME = 'ben10_snapshot_restore';

const own = z.strictObject({
  id: z.string().describe('Or its start.'),
  mode: z.enum(['full', 'summary']).optional(),
  budget: TOKENS,
  // The former name.
  budgetTokens: TOKENS,
});

export const snapshotRestoreTool = defineTool({
  name: NAME,
  title: 'Give back a compaction snapshot',
  description:
    'Gives the context before a compaction as text. As a point for other tools: @snapshot:ID.',
  annotations: IDEMPOTENT,
  writesNotesOnly: true,
  input: own.extend(PAGED),
  run(asked, context) {
    const { args, position } = pageAsked(NAME, own, asked, 1);
    const { id } = findSnapshot(context.project, args.id);
    const given = restore(context.project, {
      point: `@snapshot:${id}`,
      mode: args.mode ?? 'summary',
      budgetTokens: args.budget ?? args.budgetTokens,
      page: position,
      source: 'tool',
    });
    return restoredPage(NAME, given, { ...args, id }, context);
  },
});
