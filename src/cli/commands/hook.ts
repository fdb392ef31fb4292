import { Command, Option } from 'clipanion';
import { Ben10Error } from '../../platform/errors.ts';
import { Ben10Command } from '../command.ts';

/**
 * Here for its help alone: the program runs hooks by themselves, without loading the command line (a hook is started
 * many times a minute).
 */
export class HookCommand extends Ben10Command {
  static override paths = [['hook']];
  static override exits = {
    0: 'always where something stands on stdin: a hook must never stop the agent',
    1: 'a person called it without an event; nothing was recorded',
    2: 'never: the client would take it for an order to stop',
  };
  static override usage = Command.Usage({
    category: 'For the client',
    description: 'Record one hook event, which the client hands over on stdin.',
    details: `
      Claude Code runs this by itself, as \`ben10 init\` has set it up; you need it only to try a hook out.
      The event is one of the client's names (SessionStart, PostToolUse) or the same in lower case with dashes
      (session-start, post-tool-use); without one, it is what stdin says. The rest comes as JSON on stdin. What is
      printed goes to the model: nothing, or what it needs to go on after a start or a compaction.

      Whatever goes wrong is one line on stderr.
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
    throw new Ben10Error('USAGE', what, { next: 'How they are used: ben10 hook --help' });
  }
}
