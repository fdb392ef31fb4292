import { Command, Option } from 'clipanion';
import { catchUp } from '../../project/catch-up.ts';
import { checkpoint } from '../../timetravel/saves.ts';
import { Ben10Command, EXIT } from '../command.ts';
import { withWriting } from '../open.ts';
import { bytes } from '../ui/format.ts';

export class CheckpointCommand extends Ben10Command {
  static override paths = [['checkpoint']];
  static override exits = { 0: 'marked', 1: 'nothing was recorded yet, or it cannot be written' };
  static override usage = Command.Usage({
    category: 'Save and go back',
    description: 'Mark this moment, to compare with it or return to it.',
    details: `
      It becomes @checkpoint:-1, and its state is stored. Checkpoints that ben10 makes by itself come and go and are no
      points; for something to be found by name use \`ben10 save\`.

      With \`--json\` it is {"seq", "projections", "bytes"}.
    `,
    examples: [
      ['Between two steps', '$0 checkpoint'],
      ['What happened since?', '$0 diff @checkpoint:-1'],
    ],
  });

  session = Option.String('--session', {
    description:
      '<ID> Of this session; the start of its id will do. By default the last active one.',
  });

  async execute() {
    const { session } = this;
    return withWriting(this.context, (project, config) => {
      if (config.context.autoSave) catchUp(project, session);
      const made = checkpoint(project, session === undefined ? {} : { session });
      if (this.json) this.printJson(made);
      else
        this.print(
          this.colours.green(
            `Marked as @checkpoint:-1: everything up to @${made.seq}, ${bytes(made.bytes)}.`,
          ),
        );
      return EXIT.ok;
    });
  }
}
