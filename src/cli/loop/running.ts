import type { Held } from '../../loop/control.ts';
import { iterationData, loopData, loopNow } from '../../loop/of-project.ts';
import { runLoop } from '../../loop/run.ts';
import type { StopReason } from '../../loop/stops.ts';
import type { Ben10Config } from '../../platform/config/keys.ts';
import type { Project } from '../../project/open.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { iterationLine } from '../ui/loops.ts';
import { LoopVerb } from './verb.ts';

/** What runs a loop: to its end, or only what its killed process left. */
export abstract class LoopRunningCommand extends LoopVerb {
  static override busy = '';

  protected async toItsEnd(
    project: Project,
    settings: Ben10Config,
    { loop, lock }: Held,
    signal: AbortSignal,
  ): Promise<StopReason> {
    try {
      const note = (line: string) => this.note(`ben10 loop: ${oneLine(line)}`);
      const { official, limits } = loopData(project, loopNow(project, loop));
      if (official !== null) note(`the client has a loop of its own in ${official}; it stays`);
      return await runLoop({
        ...{ project, loop, settings, signal, note },
        env: { ...this.context.env },
        ended: (now, error) =>
          note(iterationLine(iterationData(project, now.iterations.at(-1)!), limits.max, error)),
      });
    } finally {
      lock.close();
    }
  }
}
