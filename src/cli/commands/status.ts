import { Command } from 'clipanion';
import { STATUS } from '../../project/features.ts';
import { status } from '../../status/status.ts';
import { Ben10Command, EXIT } from '../command.ts';
import { withJournal } from '../open.ts';
import { settingsWarnings, withSettings } from '../settings-warnings.ts';
import { statusLines } from '../ui/status.ts';

export class StatusCommand extends Ben10Command {
  static override paths = [['status']];
  static override exits = {
    0: 'something was recorded, or can be; warnings are shown',
    1: 'the journal cannot be used',
  };
  static override usage = Command.Usage({
    category: 'Look at what was recorded',
    description: 'Show how much was recorded, and what it costs.',
    details: `
      Messages, tokens and files are those of the session that was active last. What ben10 costs is said, too: the
      space that it takes, the tokens that its hooks put into the agent's context, and how long those hooks took that
      are commands, each time that the client ran one: from the start of the process until its event was in the
      journal. What the start of a session and the end of a turn do after that is not in it, nor are hooks that the
      server answers.

      \`ben10 doctor\` measures the hook of a tool call as a whole, and says what may be wrong.
    `,
    examples: [
      ['How is it?', '$0 status'],
      ['Is anything waiting for its place in the journal?', '$0 status --json | jq .journal.inbox'],
    ],
  });

  async execute() {
    return withJournal(this.context, async (project) => {
      const found = withSettings(
        status(project, STATUS),
        await settingsWarnings(project, this.context.env),
      );
      if (this.json) this.printJson(found);
      else this.print(...statusLines(found, this.colours));
      return found.health === 'error' ? EXIT.notSo : EXIT.ok;
    });
  }
}
