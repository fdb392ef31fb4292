import { Command, Option } from 'clipanion';
import { agentsOf } from '../../monitor/agents.ts';
import { thousands } from '../../monitor/size.ts';
import { transcriptOf } from '../../project/catch-up.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { Ben10Command, type Exit, SESSION } from '../command.ts';
import { withJournal } from '../open.ts';
import { table } from '../ui/table.ts';

export class MonitorAgentsCommand extends Ben10Command {
  static override paths = [['monitor', 'agents']];
  static override exits = { 0: 'shown', 1: 'nothing is known of that session, or of any' };
  static override usage = Command.Usage({
    description: 'How full the context of each sub-agent is.',
    details: `
      The main thread comes first, then sub-agents, the newest last. Their tokens are not in the main context.

      With \`--json\`: [{"agent", "messages", "tokens", "window", "percent", "peak"}]; "agent" is null for the main thread, "peak" the most
      that it ever held, in percent.
    `,
    examples: [['Which sub-agent is full?', '$0 monitor agents']],
  });

  session = Option.String('--session', SESSION);

  async execute(): Promise<Exit> {
    return withJournal(this.context, (project) => {
      const { session } = transcriptOf(project, this.session);
      const found = session === undefined ? [] : agentsOf(project, session);
      return this.answerIf(found.length > 0, found, 'No message of it is recorded.', () =>
        table(
          ['AGENT', '>NOW', '>PEAK', '>TOKENS', '>MESSAGES'],
          found.map(({ agent, percent, peak, tokens, messages }) => [
            agent === null ? 'main' : oneLine(agent),
            ...[`${percent}%`, `${peak}%`, thousands(tokens), String(messages)],
          ]),
        ),
      );
    });
  }
}
