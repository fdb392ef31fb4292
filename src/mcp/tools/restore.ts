import * as z from 'zod';
import { RESTORE_PARTS, type RestorePart } from '../../timetravel/give.ts';
import { BUDGET_TOKENS_MIN, RESTORE_MODES, restore } from '../../timetravel/restore.ts';
import { textAnswer } from '../answer.ts';
import { decodeCursor, encodeCursor } from '../cursor.ts';
import { pinned } from '../pin.ts';
import { defineTool } from '../tool.ts';

const NAME = 'ben10_restore';
/** Of one page: with the 3.1 bytes that a token has on average it stays below an answer's limit. */
export const BUDGET_MAX = 7_000;

/** A budget, as both tools that give back a context take it. */
export const TOKENS = z.int().min(BUDGET_TOKENS_MIN).max(BUDGET_MAX).optional();

const input = z.strictObject({
  name: z.string().optional().describe('Of a save.'),
  point: z.string().optional().describe('In place of name: @compaction:-1, @1234.'),
  mode: z.enum(RESTORE_MODES).optional(),
  parts: z
    .array(z.enum(Object.keys(RESTORE_PARTS) as [RestorePart, ...RestorePart[]]))
    .optional()
    .describe('For selective.'),
  budget: TOKENS,
  // The same under its first name.
  budgetTokens: TOKENS,
  session: z.string().optional().describe('An id or its start; default: the last with work.'),
  cursor: z.string().optional(),
});

export const restoreTool = defineTool({
  name: NAME,
  title: 'Give back the context',
  description:
    'Gives back, as text to read, what a session knew and had open: rules of the user, tasks, decisions, files, last commands and errors. Call it after a compaction or in a new session, to go on with earlier work. It changes no files.',
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  writesNotesOnly: true,
  input,
  run({ cursor, ...first }, context) {
    const { args, position } =
      cursor === undefined
        ? { args: first, position: 1 }
        : decodeCursor(NAME, cursor, input.omit({ cursor: true }));
    const { mode = 'summary', name, point: asked, budget, ...more } = args;
    const budgetTokens = budget ?? args.budgetTokens;
    const options = { ...more, name, point: asked, mode, budgetTokens };
    const given = restore(context.project, { ...options, page: position, source: 'tool' });
    if (given.recorded) context.touched();
    // What was damaged is no everyday thing: whoever looks after the server sees it, too.
    for (const told of given.notes) if (told.includes('_CORRUPTED')) context.log.warn(told);
    const { text, page, pages, point, session } = given;
    if (page >= pages) return textAnswer(text);
    const fixed = name === undefined ? { ...args, session, point: pinned(asked, point.seq) } : args;
    const next = encodeCursor(NAME, fixed, page + 1);
    return textAnswer(
      `Page ${page} of ${pages}. For the next call ${NAME} with cursor "${next}".\n${text}`,
    );
  },
});
