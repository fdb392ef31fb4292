import { Command, Option } from 'clipanion';
import { catchUp } from '../../project/catch-up.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { type ClearedContext, clear, whatClears } from '../../timetravel/clear.ts';
import { Ben10Command, EXIT } from '../command.ts';
import { withWriting } from '../open.ts';
import { plural } from '../ui/format.ts';

export class ClearCommand extends Ben10Command {
  static override paths = [['clear']];
  static override exits = {
    0: 'cleared, or shown what would be',
    1: 'nothing was recorded yet, or it cannot be written',
  };
  static override usage = Command.Usage({
    category: 'Save and go back',
    description: 'Start an empty context from here on.',
    details: `
      What was before stays in the journal: every earlier point can be replayed, and restoring one undoes the clear. Only
      what ben10 gives back by itself starts anew. Without \`--yes\` it says what would be left behind, and does nothing.
      To take something out of the journal for good, use \`ben10 erase\`.

      With \`--json\` it is {"cleared", "session", "seq", "messages", "files", "toolExecutions"}.
    `,
    examples: [
      ['What would be left behind?', '$0 clear'],
      ['Start anew', '$0 clear --yes'],
      ['Undo it', '$0 restore @SEQ'],
    ],
  });

  yes = Option.Boolean('--yes', false, { description: 'Do it.' });
  session = Option.String('--session', {
    description:
      '<ID> Of this session; the start of its id will do. By default the last active one.',
  });

  async execute() {
    const options = this.session === undefined ? {} : { session: this.session };
    return withWriting(this.context, (project, config) => {
      if (config.context.autoSave) catchUp(project, this.session);
      const found = this.yes ? clear(project, options) : whatClears(project, options);
      if (this.json) this.printJson({ cleared: this.yes, ...found });
      else this.print(...this.#lines(found));
      return EXIT.ok;
    });
  }

  #lines({ session, seq, messages, files, toolExecutions }: ClearedContext): string[] {
    const what = `${plural(messages, 'message')}, ${plural(files, 'file')} and ${plural(toolExecutions, 'tool call')} of session ${oneLine(session).slice(0, 8)}`;
    if (!this.yes)
      return [`This would leave behind ${what}. Nothing was done; do it with: ben10 clear --yes`];
    return [
      this.colours.green(`The context is empty from here on: ${what} are left behind.`),
      `They come back with: ben10 restore @${seq}`,
    ];
  }
}
