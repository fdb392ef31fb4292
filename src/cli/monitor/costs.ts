import { Command, Option } from 'clipanion';
import { parseTime } from '../../log/typed.ts';
import { costsBy, costsOf, type Renewal, renewalsOf } from '../../monitor/costs.ts';
import type { Ben10Error } from '../../platform/errors.ts';
import type { Project } from '../../project/open.ts';
import { type LostAccount, lostAccount } from '../../recall/lost.ts';
import { findCompaction } from '../../timetravel/compactions.ts';
import { Ben10Command, type Exit } from '../command.ts';
import { withJournal } from '../open.ts';
import { costLines, SINCE } from '../ui/costs.ts';
import { plural } from '../ui/format.ts';

const WEEKS = 8;

/** Each takes a fold of its own. */
const COMPACTIONS_MAX = 10;

/** What the newest compactions dropped, and what of it was given back. */
function itemsLost(project: Project, renewals: readonly Renewal[]) {
  const all = renewals.filter(({ kind }) => kind === 'compaction');
  const accounts = all.slice(-COMPACTIONS_MAX).flatMap(({ session, seq }) => {
    const n = all.filter((one) => one.session === session && one.seq >= seq).length;
    const found = compactionFrom(project, n, session);
    if (!found?.summary) return [];
    const { point, summary, until } = found;
    return lostAccount(project, { session, cut: point.cut, summary, ...(until && { until }) });
  });
  const sum = (of: (one: LostAccount) => number) =>
    accounts.reduce((total, one) => total + of(one), 0);
  return {
    compactions: accounts.length,
    of: sum(({ fates }) => fates.length),
    lost: sum(({ lost }) => lost),
    givenBack: sum(({ givenBack }) => givenBack),
  };
}

/** From the end. A rewind may have taken it out of the session's history. */
function compactionFrom(project: Project, n: number, session: string) {
  try {
    return findCompaction(project, -n, session);
  } catch (error) {
    if ((error as Partial<Ben10Error>).code !== 'POINT_NOT_FOUND') throw error;
    return undefined;
  }
}

export class MonitorCostsCommand extends Ben10Command {
  static override paths = [['monitor', 'costs']];
  static override exits = { 0: 'shown', 1: 'there is no journal' };
  static override usage = Command.Usage({
    description: 'What compactions cost, beside the same after handoffs.',
    details: `
      Of the first 30 calls of each new context: files that were read again and commands that were run again, the tokens by which the
      context had grown when the last of them was done, and the minutes of work until then; pauses count as two minutes at most. And of
      the newest ten compactions, how many of the items worth keeping their summaries lack: see \`ben10 lost\`.

      With \`--json\`: {"afterCompactions": {"times", "reads", "commands", "tokens", "minutes"}, "afterHandoffs", "items": {"compactions", "of", "lost", "givenBack"}, "weeks": [{"name", "afterCompactions",
      "afterHandoffs"}], "sessions"}; a week has the name of its Monday.
    `,
    examples: [
      ['What did compactions cost?', '$0 monitor costs'],
      ['In the last days', '$0 monitor costs --since 7d'],
    ],
  });

  since = Option.String('--since', SINCE);

  async execute(): Promise<Exit> {
    const since = this.since && parseTime(this.since, this.context.now(), 'from');
    return withJournal(this.context, (project) => {
      const renewals = renewalsOf(project, since || 0);
      const all = costsOf(renewals);
      const weeks = costsBy(renewals, 'week');
      const items = itemsLost(project, renewals);
      const found = { ...all, items, weeks, sessions: costsBy(renewals, 'session') };
      const { compactions, of, lost, givenBack } = items;
      const lostLine = `Summaries of the newest ${plural(compactions, 'compaction')} lack ${lost} of ${plural(of, 'item')}; ${givenBack} were given back.`;
      return this.answer(found, () => [
        ...costLines(all),
        ...(compactions === 0 ? [] : [lostLine]),
        ...weeks.slice(-WEEKS).flatMap((one) => [`Week of ${one.name}:`, ...costLines(one)]),
      ]);
    });
  }
}
