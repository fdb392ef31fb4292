import { Command, Option } from 'clipanion';
import type { ServeOptions } from '../../mcp/main.ts';
import { Ben10Command, EXIT } from '../command.ts';
import { oneOf } from '../ui/arguments.ts';

const PROFILES: readonly NonNullable<ServeOptions['profile']>[] = ['core', 'all'];

export class ServeCommand extends Ben10Command {
  static override paths = [['serve']];
  static override exits = {
    0: 'the client closed the connection',
    1: 'the server could not start',
  };
  static override usage = Command.Usage({
    category: 'For the client',
    description: 'Run the MCP server on stdin and stdout.',
    details: `
      Claude Code starts this by itself, as \`ben10 init\` has set it up. The server records tool calls without
      starting a process for each, and lets the model ask for its own past. Everything it has to say to people goes
      to stderr. If it dies, nothing is lost: the next turn's end reads the rest from the transcript.
    `,
    examples: [
      ['Try it with the MCP Inspector', 'npx @modelcontextprotocol/inspector $0 serve'],
      ['With every tool there is', '$0 serve --profile all'],
    ],
  });

  profile = Option.String('--profile', {
    description: `<NAME> Which tools the model is offered: ${PROFILES.join(' or ')}. By default as configured.`,
  });

  async execute() {
    const { profile } = this;
    const options = profile === undefined ? {} : { profile: oneOf('--profile', profile, PROFILES) };
    // A bundle of its own: no other command needs the protocol.
    const { startServer } = (await import('./mcp.cjs')) as typeof import('../../mcp/main.ts');
    await startServer(options);
    return EXIT.ok;
  }
}
