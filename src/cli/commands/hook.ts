import { Command, Option } from 'clipanion';
import { Ben10Error } from '../../platform/errors.ts';
import { Ben10Command } from '../command.ts';

/** Only for its help: the program runs hooks without loading the command line. */
export class HookCommand extends Ben10Command {
  static override paths = [['hook']];
  static override exits = {
    0: 'always, if there is input: a hook must never stop the agent',
    1: 'called by hand without an event; nothing was recorded',
    2: 'never: the client would stop the agent',
  };
  static override busy = '';
  static override usage = Command.Usage({
    category: 'Run by the client',
    description: 'Record one hook event from stdin.',
    details: `
      Claude Code runs this; \`ben10 init\` sets it up. You need it only to test a hook. The event is a name of the client
      (SessionStart, PostToolUse) or the same in lower case with dashes (session-start, post-tool-use); by default it is
      read from the JSON on stdin. The model gets what is printed: usually nothing; after a start or a compaction, what it
      needs to continue.

      An error is one line on stderr.
    `,
    examples: [
      [
        'Record a prompt by hand',
        `echo '{"session_id":"s1","cwd":"/my/project","prompt":"hello"}' | $0 hook user-prompt-submit`,
      ],
    ],
  });

  event = Option.String({ required: false, name: 'event' });

  async execute(): Promise<never> {
    const what =
      this.event === undefined
        ? 'the name of the event is missing; nothing was recorded'
        : 'hooks are run by the ben10 program itself';
    throw new Ben10Error('USAGE', what, { next: 'See: ben10 hook --help' });
  }
}
