import { Command, Option } from 'clipanion';
import { catchUp } from '../../project/catch-up.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { type ClearedContext, clear, whatClears } from '../../timetravel/clear.ts';
import { Ben10Command, SESSION } from '../command.ts';
import { withWriting } from '../open.ts';
import { plural } from '../ui/format.ts';

export class ClearCommand extends Ben10Command {
  static override paths = [['clear']];
  static override exits = {
    0: 'the context was cleared, or the plan was shown',
    1: 'nothing was recorded yet, or the write failed',
  };
  static override usage = Command.Usage({
    category: 'Save and go back: which one, when',
    description: 'When the context went wrong: start empty; a restore undoes it.',
    details: `
      Nothing is deleted: earlier points can be replayed, and restoring one undoes the clear. Only what ben10 gives back
      by itself starts over. Without \`--yes\` this only shows what would be left behind. To delete something from the
      journal for good, use \`ben10 erase\`.

      With \`--json\`: {"cleared", "session", "seq", "messages", "files", "toolExecutions"}.
    `,
    examples: [
      ['What would be left behind?', '$0 clear'],
      ['Clear the context', '$0 clear --yes'],
      ['Undo it', '$0 restore @SEQ'],
    ],
  });

  yes = Option.Boolean('--yes', false, { description: 'Clear the context.' });
  session = Option.String('--session', SESSION);

  async execute() {
    const { session } = this;
    return withWriting(this.context, (project, config) => {
      if (config.context.autoSave) catchUp(project, session);
      const found = this.yes ? clear(project, { session }) : whatClears(project, { session });
      return this.answer({ cleared: this.yes, ...found }, () => this.#lines(found));
    });
  }

  #lines({ session, seq, messages, files, toolExecutions }: ClearedContext): string[] {
    const what = `${plural(messages, 'message')}, ${plural(files, 'file')} and ${plural(toolExecutions, 'tool call')} of session ${oneLine(session).slice(0, 8)}`;
    if (!this.yes) return [`This would leave behind ${what}. To do it: ben10 clear --yes`];
    return [
      this.colours.green(`The context is empty now. Left behind: ${what}.`),
      `To undo it: ben10 restore @${seq}`,
    ];
  }
}
