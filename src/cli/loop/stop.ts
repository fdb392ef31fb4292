import { Command } from 'clipanion';
import { stopLoop } from '../../loop/control.ts';
import { holdWorktree } from '../../loop/hold.ts';
import { findLoop, loopNow } from '../../loop/of-project.ts';
import { EXIT, type Exit } from '../command.ts';
import { withWriting } from '../open.ts';
import { LOOP_JSON } from '../ui/loops.ts';
import { LoopRunningCommand } from './run.ts';
import { WHICH, which } from './verb.ts';

/** A client has 20 seconds to end, and its checkpoint takes some. */
const WAIT_MS = 60_000;

export class LoopStopCommand extends LoopRunningCommand {
  static override paths = [['loop', 'stop']];
  static override exits = {
    0: 'it has ended',
    1: 'there is no such loop, or its client has not ended within a minute',
  };
  static override usage = Command.Usage({
    description: 'End a loop, with a checkpoint of what its client has done.',
    details: `
      ${WHICH} It also ends the client of a loop that was killed.

      With \`--json\`: ${LOOP_JSON}.
    `,
    examples: [['Enough', '$0 loop stop']],
  });

  which = which();

  async execute(): Promise<Exit> {
    return withWriting(this.context, async (project, config) => {
      const { loop, worktree, stopped } = findLoop(project, this.context.cwd, this.which);
      if (stopped === null) stopLoop(project, loop);
      const until = performance.now() + WAIT_MS;
      let lock = holdWorktree(project, worktree);
      while (lock === undefined && performance.now() < until)
        lock = holdWorktree(project, worktree);
      // What a process that was killed has left.
      if (lock) await this.toItsEnd(project, config, { loop, lock }, AbortSignal.abort());
      this.show(project, loopNow(project, loop));
      return lock === undefined ? EXIT.notSo : EXIT.ok;
    });
  }
}
