import * as z from 'zod';
import { randomHex } from '../../platform/random.ts';
import { contained, fence } from '../../projections/safe-text.ts';
import { fateLine, lostAccount, lostHead } from '../../recall/lost.ts';
import { compactionNumber, findCompaction } from '../../timetravel/compactions.ts';
import { findSession } from '../../timetravel/sessions.ts';
import { timeText } from '../../timetravel/text.ts';
import { textAnswer } from '../answer.ts';
import { defineTool, READ_ONLY } from '../tool.ts';

const ITEMS_DEFAULT = 40;
const ITEMS_MAX = 150;

export const lostTool = defineTool({
  name: 'ben10_lost',
  title: 'What a compaction dropped',
  description:
    'Lists item by item what a compaction kept and dropped, and what ben10 gave back: rules, decisions, commands with exit codes, errors, files. Call it if something seems to be missing after a compaction.',
  annotations: READ_ONLY,
  input: z.strictObject({
    compaction: z.string().optional().describe('Default: @compaction:-1, the last.'),
    session: z.string().optional().describe('An id or its start.'),
    limit: z.int().min(1).max(ITEMS_MAX).optional(),
  }),
  run({ compaction = '-1', session, limit = ITEMS_DEFAULT }, { project }) {
    const whose = session === undefined ? undefined : findSession(project, session);
    const found = findCompaction(project, compactionNumber(compaction), whose);
    const { point, until, summary } = found;
    const asked = { session: found.session, cut: point.cut, summary };
    const account = lostAccount(project, { ...asked, ...(until && { until }) });
    const now = project.ports.clock.now();
    const lines = account.fates.slice(0, limit).map((fate) => fateLine(fate, now));
    const more = account.fates.length - lines.length;
    const head = contained(
      `Compaction of ${timeText(found.at)}, ${point.text}: ${lostHead(account)}.`,
    );
    const unknown = summary === '' ? ' Its summary is not known.' : '';
    const rest = more > 0 ? `\n${more} more, less important.` : '';
    return textAnswer(
      `${head}${unknown}\n${fence(lines.join('\n'), randomHex(project.ports.random, 8))}${rest}`,
    );
  },
});
