import { Command, Option } from 'clipanion';
import { findHandoff, handoffsHere } from '../../handoff/of-project.ts';
import { orient } from '../../handoff/orient.ts';
import { Ben10Command } from '../command.ts';
import { withJournal } from '../open.ts';
import { dataOf } from './handoff.ts';

const NONE =
  'There is no handoff of this worktree and branch yet. To make one: ben10 handoff create';

export class OrientCommand extends Ben10Command {
  static override paths = [['orient']];
  static override exits = {
    0: 'printed, or there is none of this worktree and branch yet',
    1: 'there is no handoff of that name',
  };
  static override usage = Command.Usage({
    category: 'Memory',
    description: 'Where to go on: the last handoff, with what has changed since.',
    details: `
      The newest handoff of this worktree and branch, verified: next steps, differences with the journal and the tree, and what of the
      document still holds, in at most 6,000 characters. It takes nothing up: \`ben10 handoff resume\` does.

      With \`--json\`: {"text", "nextSteps", "handoff", "file", "holds", "counts", "claims", "edited", "isGone"}; the first three
      where there is no handoff yet, with "handoff" null.
    `,
    examples: [['At the start of a session', '$0 orient']],
  });

  which = Option.String({ name: 'handoff', required: false });

  async execute() {
    return withJournal(this.context, (project) => {
      // The slash command fails where this does.
      if (this.which === undefined && handoffsHere(project, this.context.cwd).length === 0)
        return this.answer({ text: NONE, nextSteps: [], handoff: null }, () => [NONE]);
      const handoff = findHandoff(project, this.context.cwd, this.which);
      const { text, verification } = orient(project, handoff);
      const { nextSteps } = handoff.handoff;
      return this.answer({ text, nextSteps, ...dataOf(verification) }, () => [text]);
    });
  }
}
