import { Command } from 'clipanion';
import { packsAt } from '../../packs/of-project.ts';
import { Ben10Command, type Exit } from '../command.ts';
import { withJournal } from '../open.ts';
import { count, plural, shortTime } from '../ui/format.ts';
import { table } from '../ui/table.ts';

export class PackListCommand extends Ben10Command {
  static override paths = [['pack', 'list']];
  static override exits = { 0: 'listed, if only that there is none', 1: 'no journal is here' };
  static override usage = Command.Usage({
    description: 'List all packs.',
    details:
      'With `--json` a list of {"name", "policy", "artifacts", "created"}; artifacts is how many it has.',
    examples: [['All packs', '$0 pack list']],
  });

  async execute(): Promise<Exit> {
    return withJournal(this.context, (project) => {
      const { packs } = packsAt(project);
      const all = Object.entries(packs).map(([name, { policy, artifacts, createdAt }]) => ({
        name,
        policy,
        artifacts: artifacts.length,
        created: createdAt,
      }));
      return this.answer(all, () => {
        if (all.length === 0) return ['There is no pack yet. To make one: ben10 pack create NAME'];
        const rows = all.map(({ name, policy: { budgetTokens }, artifacts, created }) => [
          name,
          plural(artifacts, 'source'),
          budgetTokens === null ? 'none' : count(budgetTokens),
          shortTime(created, this.context.now()),
        ]);
        return table(['name', '>holds', '>budget', 'made'], rows);
      });
    });
  }
}
