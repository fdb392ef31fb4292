import { Command, Option } from 'clipanion';
import { measuredFactor } from '../../packs/use/factor.ts';
import { reportOf } from '../../packs/use/report.ts';
import { Ben10Command, type Exit } from '../command.ts';
import { withJournal } from '../open.ts';
import { reportLines } from '../ui/pack-report.ts';

export class PackReportCommand extends Ben10Command {
  static override paths = [['pack', 'report']];
  static override exits = {
    0: 'reported, if only that nobody was given it',
    1: 'there is no such pack',
  };
  static override words = ['packs'] as const;
  static override usage = Command.Usage({
    description: 'Was a pack any use to the sessions that were given it?',
    details: `
      Of the newest sessions: which items were edited, named or read again with the same bytes, what was never touched, which files were
      opened within 20 calls and were not in it, and how many of the model's tokens one of cl100k was. Use is not usefulness: what nobody
      touched may have helped all the same.

      With \`--json\`: {"name", "given", "sessions", "lost", "usedShare", "items": [{"label", "tokens", "given", "edited", "named",
      "readAgain", "readTokens"}], "missed": [{"file", "sessions"}], "factors": [{"model", "factor", "renders", "spread"}], "about"};
      "about" is the factor of the model that was used last, with 0 renders if it was not measured.
    `,
    examples: [
      ['What can go?', '$0 pack report auth'],
      ['What was missing?', '$0 pack report auth --json | jq .missed'],
    ],
  });

  name = Option.String({ name: 'name' });

  async execute(): Promise<Exit> {
    const { name } = this;
    return withJournal(this.context, (project) => {
      const report = reportOf(project, name);
      const about = measuredFactor(project) ?? null;
      return this.answer({ name, ...report, about }, () => reportLines(name, report, about));
    });
  }
}
