import { Command, Option } from 'clipanion';
import { catchUp } from '../../project/catch-up.ts';
import { checkpoint } from '../../timetravel/saves.ts';
import { Ben10Command, SESSION } from '../command.ts';
import { withWriting } from '../open.ts';
import { bytes } from '../ui/format.ts';

export class CheckpointCommand extends Ben10Command {
  static override paths = [['checkpoint']];
  static override exits = {
    0: 'the checkpoint was stored',
    1: 'nothing was recorded yet, or the write failed',
  };
  static override usage = Command.Usage({
    category: 'Save and go back: which one, when',
    description: 'Between steps: mark the state, without a name (@checkpoint:-1).',
    details: `
      Stores the state as @checkpoint:-1. To give a state a name, use \`ben10 save\`. (The rolling checkpoints that
      ben10 makes by itself are no points.)

      With \`--json\`: {"seq", "projections", "bytes"}.
    `,
    examples: [
      ['Between two steps', '$0 checkpoint'],
      ['What happened since?', '$0 diff @checkpoint:-1'],
    ],
  });

  session = Option.String('--session', SESSION);

  async execute() {
    const { session } = this;
    return withWriting(this.context, (project, config) => {
      if (config.context.autoSave) catchUp(project, session);
      const made = checkpoint(project, { session });
      const text = `Marked as @checkpoint:-1: everything up to @${made.seq}, ${bytes(made.bytes)}.`;
      return this.answer(made, () => [this.colours.green(text)]);
    });
  }
}
