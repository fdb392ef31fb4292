import { Command, Option } from 'clipanion';
import { lint } from '../../packs/lint.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { Ben10Command, EXIT, type Exit } from '../command.ts';
import { withJournal } from '../open.ts';
import { table } from '../ui/table.ts';

export class PackLintCommand extends Ben10Command {
  static override paths = [['pack', 'lint']];
  static override exits = { 0: 'nothing was found', 1: 'something was found' };
  static override words = ['packs'] as const;
  static override usage = Command.Usage({
    description: 'Find what is wrong with a pack.',
    details: `
      - A source that is not in it: missing, denied, a duplicate, range_past_end and so on, as \`ben10 pack preview\` says it. Of a
        collection only that nothing of it is there: empty.
      - over_budget: something does not fit.
      - not_in_pack: a file that three of its files import, or that was opened soon in two sessions that had the pack.
      - stale: the newest snapshot of the pack is not what it renders now.

      With \`--json\` a list of {"problem", "what", "about"}.
    `,
    examples: [['Is it in order?', '$0 pack lint auth']],
  });

  name = Option.String({ name: 'name' });

  async execute(): Promise<Exit> {
    return withJournal(this.context, async (project) => {
      const found = await lint(project, this.name);
      this.answer(found, () => {
        if (found.length === 0) return ['Nothing was found.'];
        const rows = found.map(({ problem, what, about = '' }) => [problem, oneLine(what), about]);
        return table(['problem', 'in', ''], rows);
      });
      return found.length === 0 ? EXIT.ok : EXIT.notSo;
    });
  }
}
