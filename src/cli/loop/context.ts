import { Command, Option } from 'clipanion';
import { contextOf } from '../../loop/ledger.ts';
import { findLoop } from '../../loop/of-project.ts';
import { Ben10Command, type Exit } from '../command.ts';
import { withJournal } from '../open.ts';
import { contextLines } from '../ui/loop-tables.ts';

export class LoopContextCommand extends Ben10Command {
  static override paths = [['loop', 'context']];
  static override exits = { 0: 'shown', 1: 'there is no such loop, or none yet' };
  static override usage = Command.Usage({
    description: 'How full the contexts of a loop’s iterations were, and what its limits leave.',
    details: `
      LOOP is the start of its name; by default the newest loop of this worktree.

      With \`--json\`: {"loop", "percent", "level", "forecast", "iterations": [{"n", "session", "peak", "checkpoint"}],
      "left": {"max", "usd", "tokens", "minutes", "iterations", "first"}}. The first three are of the iteration at work.
      "left": what each limit leaves, how many iterations as they were so far, and the limit that comes first.
    `,
    examples: [['How full is it?', '$0 loop context']],
  });

  which = Option.String({ name: 'LOOP', required: false });

  async execute(): Promise<Exit> {
    return withJournal(this.context, (project) => {
      const loop = findLoop(project, this.context.cwd, this.which);
      const found = contextOf(project, loop);
      return this.answer(found, () => contextLines(found, this.colours));
    });
  }
}
