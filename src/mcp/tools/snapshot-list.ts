import * as z from 'zod';
import { listSnapshots, type SnapshotListed } from '../../timetravel/snapshots/indexed.ts';
import { dataAnswer, QUOTED } from '../answer.ts';
import { encodeCursor, PAGED, pageAsked } from '../cursor.ts';
import { PAGE_BYTES } from '../limits.ts';
import { isoTime, jsonBytes } from '../shorten.ts';
import { defineTool, READ_ONLY } from '../tool.ts';

const NAME = 'ben10_snapshot_list';
const PAGE = 20;

const own = z.strictObject({
  verbose: z.boolean().optional().describe('All fields.'),
});

export const snapshotListTool = defineTool({
  name: NAME,
  title: 'List compaction snapshots',
  description:
    'Lists the states stored before each compaction, newest first: what ben10_snapshot_restore can give back.',
  annotations: READ_ONLY,
  input: own.extend(PAGED),
  output: z.looseObject({
    note: z.string(),
    snapshots: z.array(z.looseObject({ id: z.string() })),
    count: z.int(),
    nextCursor: z.string().optional(),
  }),
  run(asked, { project }) {
    const { args, position } = pageAsked(NAME, own, asked);
    // The position is the last shown snapshot's event; 0 is the first page.
    const before = position === 0 ? {} : { before: position };
    const { snapshots, ...sums } = listSnapshots(project, { ...before, count: PAGE + 1 });
    const shown = asManyAsFit(snapshots, args.verbose ?? false);
    const next =
      shown.length < snapshots.length
        ? { nextCursor: encodeCursor(NAME, args, snapshots[shown.length - 1]!.upto) }
        : {};
    return dataAnswer({ note: QUOTED, snapshots: shown, ...sums, ...next });
  },
});

function asManyAsFit(snapshots: readonly SnapshotListed[], verbose: boolean): object[] {
  const lines = snapshots.slice(0, PAGE).map((one) => (verbose ? wholeOf(one) : lineOf(one)));
  let left = PAGE_BYTES;
  const end = lines.findIndex((line, index) => {
    left -= jsonBytes(line) + 1;
    return left < 0 && index > 0;
  });
  return end === -1 ? lines : lines.slice(0, end);
}

const lineOf = ({
  id,
  createdAt,
  trigger,
  before,
  after,
  bytes,
  pinned,
  tags,
}: SnapshotListed): object => ({
  id,
  time: isoTime(createdAt),
  trigger,
  tokensBefore: before.tokens ?? null,
  tokensAfter: after?.tokens ?? null,
  bytes,
  ...(pinned && { pinned }),
  ...(tags.length > 0 && { tags }),
});

const wholeOf = ({ createdAt, ...one }: SnapshotListed): object => ({
  ...one,
  time: isoTime(createdAt),
});
