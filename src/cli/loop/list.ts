import { Command } from 'clipanion';
import { allLoops, loopData } from '../../loop/of-project.ts';
import { Ben10Command, type Exit } from '../command.ts';
import { withJournal } from '../open.ts';
import { loopLine } from '../ui/loops.ts';

export class LoopListCommand extends Ben10Command {
  static override paths = [['loop', 'list']];
  static override exits = { 0: 'shown', 1: 'it failed; the message says why, and what to do' };
  static override usage = Command.Usage({
    description: 'All loops, the newest first.',
    details: `
      With \`--json\`: {"loops": […]}, each as in \`ben10 loop status\`.
    `,
    examples: [['Which were there?', '$0 loop list']],
  });

  async execute(): Promise<Exit> {
    return withJournal(this.context, (project) => {
      const loops = allLoops(project).map((one) => loopData(project, one));
      return this.answer({ loops }, () =>
        loops.length === 0
          ? ['No loop yet. To start one: ben10 loop run PROMPT.md']
          : loops.map((one) => loopLine(one, this.context.now())),
      );
    });
  }
}
