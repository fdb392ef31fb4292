import { Command } from 'clipanion';
import { LoopStatusCommand } from '../loop/look.ts';

/** Alone it is `status`; `../loop/verbs.ts` has what else it does. */
export class LoopCommand extends LoopStatusCommand {
  static override paths = [['loop']];
  static override usage = Command.Usage({
    category: 'Memory',
    description: 'One task in session after session, unattended.',
    details: `
      Each of its verbs has a help: \`ben10 loop status --help\`. Alone it is \`status\`.
    `,
    examples: [['How far is it?', '$0 loop']],
  });
}
