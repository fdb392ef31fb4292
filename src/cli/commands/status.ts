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
    0: 'the journal can be used; warnings are shown',
    1: 'the journal cannot be used',
  };
  static override usage = Command.Usage({
    category: 'Look',
    description: 'Show how much was recorded, its health, and what it costs.',
    details: `
      Messages, tokens and files are those of the last active session. The cost of ben10 is its disk space, the tokens that
      its hooks gave to the agent, and how long hooks took: from the start of the process until its event was in the
      journal. Later work at the start of a session or the end of a turn counts only where a hook took over a second in all.
      Hooks that the MCP server answers are not included.

      \`ben10 doctor\` measures a complete hook, and looks for problems.
    `,
    examples: [
      ['Show the status', '$0 status'],
      ['How many appends wait in the inbox?', '$0 status --json | jq .journal.inbox'],
    ],
  });

  async execute() {
    return withJournal(this.context, async (project) => {
      const found = withSettings(
        status(project, STATUS),
        await settingsWarnings(project, this.context.env),
      );
      this.answer(found, () => statusLines(found, this.colours));
      return found.health === 'error' ? EXIT.notSo : EXIT.ok;
    });
  }
}
