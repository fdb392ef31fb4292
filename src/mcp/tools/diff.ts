import * as z from 'zod';
import { diffPoints, type StateDiff } from '../../timetravel/diff.ts';
import { diffFiles, type FileDiff } from '../../timetravel/diff-files.ts';
import { dataAnswer, QUOTED } from '../answer.ts';
import { encodeCursor, PAGED, pageAsked } from '../cursor.ts';
import { ANSWER_BYTES_MAX, ENVELOPE_BYTES } from '../limits.ts';
import { pinned } from '../pin.ts';
import { defineTool, READ_ONLY } from '../tool.ts';
import { view } from '../view.ts';

const NAME = 'ben10_diff';
const PAGE_BYTES = ANSWER_BYTES_MAX - ENVELOPE_BYTES;

const own = z.strictObject({
  from: z.string().optional().describe('A point: @prompt:-2, @compaction:-1, @1234, @save:NAME.'),
  to: z.string().optional().describe('A point; now if left out.'),
  session: z.string().optional().describe('An id or its start; default: the last active.'),
  path: z.string().optional().describe('A part of the answer in full: files.added'),
});
const input = own.extend(PAGED);

export const diffTool = defineTool({
  name: NAME,
  title: 'What changed',
  description:
    'Without arguments: which files on disk changed since the session last saw them; call it after a pause or when somebody else may have edited. With from: what changed between two points: messages, files, tools, tasks, decisions, rules, tokens.',
  annotations: READ_ONLY,
  input,
  output: z.looseObject({
    note: z.string(),
    diff: z.unknown(),
    shortened: z.boolean(),
    nextCursor: z.string().optional(),
  }),
  run(asked, { project }) {
    const { args, position } = pageAsked(NAME, own, asked);
    const { from, to, session, path } = args;
    const isOfPoints = from !== undefined || to !== undefined;
    const diff = isOfPoints
      ? diffPoints(project, from, to, { session })
      : diffFiles(project, { session });
    const { value, shortened, next } = view(diff, path, position, PAGE_BYTES);
    const more =
      next === undefined ? {} : { nextCursor: encodeCursor(NAME, fixed(args, diff), next) };
    return dataAnswer({ note: QUOTED, diff: value, shortened, ...more });
  },
});

/** For the next page: the same two points. Files on disk cannot be held still. */
function fixed(args: z.infer<typeof own>, diff: StateDiff | FileDiff): object {
  if (diff.kind !== 'states') return args;
  const { from, to } = diff;
  return { ...args, from: pinned(from.point, from.seq), to: pinned(to.point, to.seq) };
}
