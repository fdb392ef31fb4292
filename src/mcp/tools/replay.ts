import * as z from 'zod';
import { defined } from '../../capture/json.ts';
import { integrityCacheOf } from '../../journal/read/integrity-cache.ts';
import { unreadableIn } from '../../log/unreadable.ts';
import { inSlices } from '../../platform/slices.ts';
import type { Project } from '../../project/open.ts';
import { lostData, lostTo } from '../../timetravel/lost-states.ts';
import {
  PROJECTIONS,
  type ReplayOptions,
  replaying,
  shownReplay,
} from '../../timetravel/replay.ts';
import { type Answer, dataAnswer, QUOTED } from '../answer.ts';
import { encodeCursor, PAGED, pageAsked } from '../cursor.ts';
import { PAGE_BYTES } from '../limits.ts';
import { pinned } from '../pin.ts';
import { defineTool, READ_ONLY } from '../tool.ts';
import { tellUnreadable } from '../unreadable.ts';
import { view } from '../view.ts';

const NAME = 'ben10_replay';

const own = z.strictObject({
  point: z
    .string()
    .optional()
    .describe(
      '@1234 (event), @-10, @2026-11-21T10:00, @prompt:-2, @compaction:-1, @save:NAME, @checkpoint:-1, @session:ID:end. Default: now.',
    ),
  projection: z.enum(Object.keys(PROJECTIONS)).optional(),
  session: z.string().optional().describe('An id or its start; default: the last active.'),
  path: z.string().optional().describe('A part of the state in full: conversation.messages'),
});
const input = own.extend(PAGED);

export const replayTool = defineTool({
  name: NAME,
  title: 'State at a point in time',
  description:
    'Gives what an agent knew, had done and had open at any point in time: conversation, files, tools, tasks, rules, usage. Call it for the state before a compaction, a prompt or an edit. Without path it is a shortened overview; with path a part in full, in pages.',
  annotations: READ_ONLY,
  input,
  output: z.looseObject({
    note: z.string(),
    point: z.looseObject({ seq: z.int(), at: z.number().nullable() }),
    projection: z.string(),
    version: z.int(),
    session: z.string().nullable(),
    state: z.unknown(),
    shortened: z.boolean(),
    unreadable: z.looseObject({ events: z.int().nullable() }).optional(),
    lost: z.looseObject({ code: z.string() }).optional(),
    nextCursor: z.string().optional(),
  }),
  ahead: ({ ports, reader, states }) => [
    states.indexing(),
    integrityCacheOf(ports, reader).steps(),
  ],
  run: (asked, { project }) => inSlices(answering(asked, project)),
});

function* answering(asked: z.infer<typeof input>, project: Project): Generator<void, Answer> {
  const { args, position } = pageAsked(NAME, own, asked);
  const { path, ...options } = args;
  const { state, ...about } = shownReplay(
    project,
    yield* replaying(project, defined<ReplayOptions>(options)),
  );
  yield;
  const lost = lostTo(project, about);
  const { value, shortened, next } = view(state, path, position, PAGE_BYTES);
  yield;
  // All pages show the same state.
  const fixed = { ...args, point: pinned(args.point, about.point.seq) };
  const more = next !== undefined && { nextCursor: encodeCursor(NAME, fixed, next) };
  // For the whole journal, because a stored state does not know of damage; only on the first page.
  const { ports, reader } = project;
  const damaged =
    position === 0
      ? tellUnreadable(unreadableIn(project, integrityCacheOf(ports, reader).damage()))
      : {};
  const gaps = { ...damaged, ...(lost && { lost: lostData(lost) }) };
  return dataAnswer({ note: QUOTED, ...about, state: value, shortened, ...gaps, ...more });
}
