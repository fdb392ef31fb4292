import * as z from 'zod';
import { recallText } from '../../recall/recall.ts';
import { resolvePoint } from '../../timetravel/resolve.ts';
import { findSession } from '../../timetravel/sessions.ts';
import { textAnswer } from '../answer.ts';
import { defineTool, READ_ONLY } from '../tool.ts';

const CHARS_MIN = 500;
const CHARS_MAX = 20_000;
const CHARS_DEFAULT = 6_000;

export const recallTool = defineTool({
  name: 'ben10_recall',
  title: 'What matters of a session',
  description:
    'Gives what matters most of a session as text, with the event for each line: rules, tasks, decisions, open errors, commands with results, figures, files and names. Call it when you have forgotten.',
  annotations: READ_ONLY,
  input: z.strictObject({
    session: z.string().optional().describe('An id or its start; default: the last active.'),
    point: z.string().optional().describe('As it was at @compaction:-1, @prompt:-2, @1234.'),
    maxChars: z.int().min(CHARS_MIN).max(CHARS_MAX).optional(),
  }),
  run({ session, point, maxChars = CHARS_DEFAULT }, { project }) {
    const whose = session === undefined ? undefined : findSession(project, session);
    const found =
      point === undefined ? undefined : resolvePoint(project, point, { session: whose });
    const { text } = recallText(project, {
      source: 'compact',
      ...(whose !== undefined && { session: whose }),
      ...(found?.session && { session: found.session }),
      ...(found !== undefined && { cut: found.cut }),
      budget: maxChars,
    });
    return textAnswer(text === '' ? 'There is nothing to give back.' : text);
  },
});
