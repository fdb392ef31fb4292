import { Command } from 'clipanion';
import { allLoops, contextOf, findLoop, iterationData, loopData } from '../../loop/of-project.ts';
import type { Project } from '../../project/open.ts';
import type { LoopRecord } from '../../projections/folds/loops.ts';
import { Ben10Command, type Exit } from '../command.ts';
import { withJournal } from '../open.ts';
import { contextLines, ledgerLines } from '../ui/loop-tables.ts';
import { ITERATION_JSON, LOOP_JSON, loopLine } from '../ui/loops.ts';
import { LoopVerb, WHICH, which } from './verb.ts';

/** What only looks at a loop. */
abstract class Look extends LoopVerb {
  static override exits = { 0: 'shown', 1: 'there is no such loop, or none yet' };

  which = which();

  protected abstract look(project: Project, loop: LoopRecord): Exit;

  execute(): Promise<Exit> {
    return withJournal(this.context, (project) =>
      this.look(project, findLoop(project, this.context.cwd, this.which)),
    );
  }
}

export class LoopStatusCommand extends Look {
  static override paths = [['loop', 'status']];
  static override usage = Command.Usage({
    description: 'How a loop stands.',
    details: `
      ${WHICH}

      With \`--json\`: ${LOOP_JSON}.
    `,
    examples: [['How far is it?', '$0 loop status']],
  });

  protected look(project: Project, loop: LoopRecord): Exit {
    return this.show(project, loop);
  }
}

export class LoopContextCommand extends Look {
  static override paths = [['loop', 'context']];
  static override usage = Command.Usage({
    description: 'How full the contexts of a loop’s iterations were, and what its limits leave.',
    details: `
      ${WHICH}

      With \`--json\`: {"loop", "percent", "level", "forecast", "iterations": [{"n", "session", "peak", "checkpoint"}],
      "left": {"max", "usd", "tokens", "minutes", "iterations", "first"}}. The first three are of the iteration at work.
      "left": what each limit leaves, how many iterations as they were so far, and the limit that comes first.
    `,
    examples: [['How full is it?', '$0 loop context']],
  });

  protected look(project: Project, loop: LoopRecord): Exit {
    const found = contextOf(project, loop);
    return this.answer(found, () => contextLines(found, this.colours));
  }
}

export class LoopLedgerCommand extends Look {
  static override paths = [['loop', 'ledger']];
  static override usage = Command.Usage({
    description: 'What each iteration of a loop took and left.',
    details: `
      ${WHICH}

      With \`--json\`: {"loop", "iterations": [${ITERATION_JSON}]}; "outcome" is null while it runs, "level" that of its handoff.
    `,
    examples: [['What did it do?', '$0 loop ledger']],
  });

  protected look(project: Project, { loop, iterations: all }: LoopRecord): Exit {
    const iterations = all.map((one) => iterationData(project, one));
    return this.answer({ loop, iterations }, () => ledgerLines(iterations, this.colours));
  }
}

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
