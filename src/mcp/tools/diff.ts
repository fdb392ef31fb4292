import * as z from 'zod';
import { diffPoints, type StateDiff } from '../../timetravel/diff.ts';
import { diffFiles, type FileDiff, unifiedOfPoints } from '../../timetravel/diff-files.ts';
import { dataAnswer, QUOTED } from '../answer.ts';
import { encodeCursor, PAGED, pageAsked } from '../cursor.ts';
import { PAGE_BYTES } from '../limits.ts';
import { pinned } from '../pin.ts';
import { defineTool, READ_ONLY } from '../tool.ts';
import { view } from '../view.ts';

const NAME = 'ben10_diff';

const own = z.strictObject({
  from: z.string().optional().describe('A point: @prompt:-2, @1234, @save:NAME.'),
  to: z.string().optional().describe('Default: now.'),
  session: z.string().optional().describe('An id or its start; default: the last active.'),
  unified: z.boolean().optional().describe('Of files.'),
  path: z.string().optional().describe('A part of the answer in full: files.added'),
});
const input = own.extend(PAGED);

export const diffTool = defineTool({
  name: NAME,
  title: 'What changed',
  description:
    'Without arguments: files changed, moved, deleted or added on disk since the session saw them; call it after a pause. With from: what changed between two points: messages, files, tools, tasks, decisions, rules.',
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
    const { from, to, session, path, unified } = args;
    const isOfPoints = from !== undefined || to !== undefined;
    if (isOfPoints && unified === true) throw unifiedOfPoints('unified');
    const diff = isOfPoints
      ? diffPoints(project, from, to, { session })
      : diffFiles(project, { session, unified });
    const { value, shortened, next } = view(diff, path, position, PAGE_BYTES);
    const more = next !== undefined && { nextCursor: encodeCursor(NAME, fixed(args, diff), next) };
    return dataAnswer({ note: QUOTED, diff: value, shortened, ...more });
  },
});

/** The next page has the same points. Files on disk may change meanwhile. */
function fixed(args: z.infer<typeof own>, diff: StateDiff | FileDiff): object {
  if (diff.kind !== 'states') return args;
  const { from, to } = diff;
  return { ...args, from: pinned(from.point, from.seq), to: pinned(to.point, to.seq) };
}
