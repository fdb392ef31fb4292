import { Option } from 'clipanion';
import { loopData } from '../../loop/of-project.ts';
import type { Project } from '../../project/open.ts';
import type { LoopRecord } from '../../projections/folds/loops.ts';
import { Ben10Command, type Exit } from '../command.ts';
import { loopLines } from '../ui/loops.ts';

/** Which loop a verb is about, and its line of the help. */
export const which = () => Option.String({ name: 'LOOP', required: false });
export const WHICH = 'LOOP is the start of its name; by default the newest loop of this worktree.';

export abstract class LoopVerb extends Ben10Command {
  /** How a loop stands. */
  protected show(project: Project, loop: LoopRecord): Exit {
    const found = loopData(project, loop);
    return this.answer(found, () => loopLines(found, this.context.now(), this.colours));
  }
}
