import { Command, Option } from 'clipanion';
import { parseTime } from '../../log/typed.ts';
import { costsBy, costsOf, renewalsOf } from '../../monitor/costs.ts';
import { Ben10Command, type Exit } from '../command.ts';
import { withJournal } from '../open.ts';
import { costLines, SINCE } from '../ui/costs.ts';

const WEEKS = 8;

export class MonitorCostsCommand extends Ben10Command {
  static override paths = [['monitor', 'costs']];
  static override exits = { 0: 'shown', 1: 'there is no journal' };
  static override usage = Command.Usage({
    description: 'What compactions cost, beside the same after handoffs.',
    details: `
      Of the first 30 calls of each new context: files that were read again and commands that were run again, the tokens by which the
      context had grown when the last of them was done, and the minutes of work until then; pauses count as two minutes at most.

      With \`--json\`: {"afterCompactions": {"times", "reads", "commands", "tokens", "minutes"}, "afterHandoffs", "weeks": [{"name", "afterCompactions",
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
      const found = { ...all, weeks, sessions: costsBy(renewals, 'session') };
      return this.answer(found, () => [
        ...costLines(all),
        ...weeks.slice(-WEEKS).flatMap((one) => [`Week of ${one.name}:`, ...costLines(one)]),
      ]);
    });
  }
}
