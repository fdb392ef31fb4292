import path from 'node:path';
import { Command } from 'clipanion';
import { findLoop } from '../../loop/of-project.ts';
import { Ben10Error } from '../../platform/errors.ts';
import { Ben10Command, type Exit } from '../command.ts';
import { handOff } from '../handing-off.ts';
import { withWriting } from '../open.ts';
import { takenLines } from '../ui/taken.ts';
import { WHICH, which } from './verb.ts';

export class LoopCheckpointCommand extends Ben10Command {
  static override paths = [['loop', 'checkpoint']];
  static override exits = { 0: 'taken', 1: 'there is no such loop, or it is not at work' };
  static override usage = Command.Usage({
    description: 'Take a checkpoint of a loop’s iteration now.',
    details: `
      ${WHICH} The iteration goes on; the next one starts from
      what is written now, unless a newer one is written at its end.

      With \`--json\`: {"checkpoint", "level", "file", "title", "wip", "notCommitted", "resume"}.
    `,
    examples: [['Keep what it has done', '$0 loop checkpoint']],
  });

  which = which();

  async execute(): Promise<Exit> {
    return withWriting(this.context, (project, config) => {
      const loop = findLoop(project, this.context.cwd, this.which);
      const newest = loop.iterations.at(-1);
      if (newest?.session === undefined || newest.end !== null || loop.stopped !== null)
        throw new Ben10Error('CONTEXT_NOT_FOUND', 'no session of this loop is at work', {
          next: 'How it stands: ben10 loop status',
        });
      const cwd = path.resolve(project.dir, loop.worktree);
      const taken = handOff(project, config, newest.session, { trigger: 'loop', cwd });
      return this.answer(taken, () => takenLines(taken, this.colours));
    });
  }
}
