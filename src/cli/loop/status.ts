import { Command, Option } from 'clipanion';
import { findLoop, loopData } from '../../loop/of-project.ts';
import { Ben10Command, type Exit } from '../command.ts';
import { withJournal } from '../open.ts';
import { LOOP_JSON, loopLines } from '../ui/loops.ts';

export class LoopStatusCommand extends Ben10Command {
  static override paths = [['loop', 'status']];
  static override exits = { 0: 'shown', 1: 'there is no such loop, or none yet' };
  static override usage = Command.Usage({
    description: 'How a loop stands.',
    details: `
      LOOP is the start of its name; by default the newest loop of this worktree.

      With \`--json\`: ${LOOP_JSON}.
    `,
    examples: [['How far is it?', '$0 loop status']],
  });

  which = Option.String({ name: 'LOOP', required: false });

  async execute(): Promise<Exit> {
    return withJournal(this.context, (project) => {
      const found = loopData(project, findLoop(project, this.context.cwd, this.which));
      return this.answer(found, () => loopLines(found, this.context.now(), this.colours));
    });
  }
}
