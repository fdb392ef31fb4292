import { Command } from 'clipanion';
import { MonitorStatusCommand } from '../monitor/status.ts';

/** Alone it shows how full the context is; `../monitor/verbs.ts` has what else it does. */
export class MonitorCommand extends MonitorStatusCommand {
  static override paths = [['monitor']];
  static override usage = Command.Usage({
    category: 'Look',
    description: 'How full the agent’s context is.',
    details: `
      Each of its verbs has a help: \`ben10 monitor status --help\`. Alone it is \`status\`.
    `,
    examples: [
      ['How full is it?', '$0 monitor'],
      ['The same, as it changes', '$0 monitor --watch'],
    ],
  });
}
