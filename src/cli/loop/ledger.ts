import { Command, Option } from 'clipanion';
import { ledgerOf } from '../../loop/ledger.ts';
import { findLoop } from '../../loop/of-project.ts';
import { Ben10Command, type Exit } from '../command.ts';
import { withJournal } from '../open.ts';
import { ledgerLines } from '../ui/loop-tables.ts';

export class LoopLedgerCommand extends Ben10Command {
  static override paths = [['loop', 'ledger']];
  static override exits = { 0: 'shown', 1: 'there is no such loop, or none yet' };
  static override usage = Command.Usage({
    description: 'What each iteration of a loop took and left.',
    details: `
      LOOP is the start of its name; by default the newest loop of this worktree.

      With \`--json\`: {"loop", "iterations": [{"n", "session", "at", "outcome", "isPromised", "checks", "peak", "tokens",
      "costUsd", "todos", "treeBefore", "treeAfter", "handoffIn", "handoffOut", "level"}]}; "outcome" is null while it runs,
      "level" that of its handoff.
    `,
    examples: [['What did it do?', '$0 loop ledger']],
  });

  which = Option.String({ name: 'LOOP', required: false });

  async execute(): Promise<Exit> {
    return withJournal(this.context, (project) => {
      const loop = findLoop(project, this.context.cwd, this.which);
      const iterations = ledgerOf(project, loop);
      return this.answer({ loop: loop.loop, iterations }, () =>
        ledgerLines(iterations, this.colours),
      );
    });
  }
}
