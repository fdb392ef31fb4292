import * as z from 'zod';
import { RESTORE_PARTS, type RestorePart } from '../../timetravel/give.ts';
import { BUDGET_TOKENS_MIN, RESTORE_MODES, restore } from '../../timetravel/restore.ts';
import { type Answer, textAnswer } from '../answer.ts';
import type { ServerContext } from '../context.ts';
import { encodeCursor, PAGED, pageAsked } from '../cursor.ts';
import { pinned } from '../pin.ts';
import { defineTool, IDEMPOTENT } from '../tool.ts';

const NAME = 'ben10_restore';
/** Of one page: with 3.1 bytes per token it stays below an answer's limit. */
export const BUDGET_MAX = 7_000;

export const TOKENS = z.int().min(BUDGET_TOKENS_MIN).max(BUDGET_MAX).optional();

const own = z.strictObject({
  name: z.string().optional().describe('Of a save.'),
  point: z.string().optional().describe('Instead of name: @compaction:-1, @1234.'),
  mode: z.enum(RESTORE_MODES).optional(),
  parts: z
    .array(z.enum(Object.keys(RESTORE_PARTS) as [RestorePart, ...RestorePart[]]))
    .optional()
    .describe('For selective.'),
  budget: TOKENS,
  // The former name.
  budgetTokens: TOKENS,
  session: z.string().optional().describe('An id or its start; default: the last with work.'),
});

export const restoreTool = defineTool({
  name: NAME,
  title: 'Give back the context',
  description:
    'Gives back what a session knew and had open, as text: rules of the user, tasks, decisions, files, last commands and errors. Call it after a compaction or in a new session, to continue earlier work. It gives back context, not files: those are changed by no tool of ben10; see ben10_diff, and use git.',
  annotations: IDEMPOTENT,
  writesNotesOnly: true,
  input: own.extend(PAGED),
  run(asked, context) {
    const { args, position } = pageAsked(NAME, own, asked, 1);
    const { mode = 'summary', name, point, budget, ...more } = args;
    const budgetTokens = budget ?? args.budgetTokens;
    const options = { ...more, name, point, mode, budgetTokens };
    const given = restore(context.project, { ...options, page: position, source: 'tool' });
    const { session } = given;
    const next =
      name === undefined ? { ...args, session, point: pinned(point, given.point.seq) } : args;
    return restoredPage(NAME, given, next, context);
  },
});

/** One page as text, with the cursor of the next one. */
export function restoredPage(
  tool: string,
  { recorded, notes, text, page, pages }: ReturnType<typeof restore>,
  next: object,
  context: ServerContext,
): Answer {
  if (recorded) context.touched();
  // Damage is also logged: the user may not see the model's answer.
  for (const note of notes) if (note.includes('_CORRUPTED')) context.log.warn(note);
  if (page >= pages) return textAnswer(text);
  const cursor = encodeCursor(tool, next, page + 1);
  const what = 'id' in next ? 'this id and cursor' : 'cursor';
  return textAnswer(
    `Page ${page} of ${pages}. For the next call ${tool} with ${what} "${cursor}".\n${text}`,
  );
}
