import { Command, Option } from 'clipanion';
import type { HttpOptions, ServeOptions } from '../../mcp/main.ts';
import { PROFILE_NAMES, type ProfileChoice } from '../../platform/config/keys.ts';
import { Ben10Error } from '../../platform/errors.ts';
import { Ben10Command, EXIT } from '../command.ts';
import { oneOf, wholeNumber } from '../ui/arguments.ts';

const PROFILES: readonly ProfileChoice[] = [...PROFILE_NAMES, 'all'];
const PORT = 17373;
const PORT_MAX = 65_535;
const HOST = '127.0.0.1';

export class ServeCommand extends Ben10Command {
  static override paths = [['serve']];
  static override exits = {
    0: 'the client closed the connection, or a signal ended the server',
    1: 'the server could not start',
  };
  static override usage = Command.Usage({
    category: 'For the client',
    description: 'Run the MCP server on stdin and stdout, or by HTTP.',
    details: `
      Claude Code starts this by itself, as \`ben10 init\` has set it up. The server records tool calls without
      starting a process for each, and lets the model ask for its own past. Everything it has to say to people goes
      to stderr. If it dies, nothing is lost: the next turn's end reads the rest from the transcript.

      With \`--http\` it serves the same by Streamable HTTP at \`/mcp\`, without sessions. Clients send the token that is
      printed on stderr, or that of the variable BEN10_HTTP_TOKEN, as \`Authorization: Bearer TOKEN\`.

      With \`--read-only\` no byte of \`.ben10\` changes: tools that write are not offered.
    `,
    examples: [
      ['Try it with the MCP Inspector', 'npx @modelcontextprotocol/inspector $0 serve'],
      ['With every tool there is', '$0 serve --profile all'],
      ['For programs on this machine that only read', '$0 serve --http --read-only --no-token'],
    ],
  });

  profile = Option.String('--profile', {
    description: `<NAMES> What the model is offered, with commas between: ${PROFILES.join(', ')}. By default as configured.`,
  });
  readOnly = Option.Boolean('--read-only', false, { description: 'Change nothing in .ben10.' });
  http = Option.Boolean('--http', false, { description: 'Serve by HTTP.' });
  port = Option.String('--port', {
    description: `<N> The port for --http; 0 for any that is free. By default ${PORT}.`,
  });
  host = Option.String('--host', {
    description: `<NAME> The address for --http. By default ${HOST}: nobody but this machine.`,
  });
  noToken = Option.Boolean('--no-token', false, {
    description: 'Ask for no token; only with --http and --read-only, on this machine alone.',
  });

  async execute() {
    const { profile, readOnly: isReadOnly, noToken, http } = this;
    const names = profile?.split(',').map((name) => oneOf('--profile', name.trim(), PROFILES));
    const options: ServeOptions = { profiles: names, isReadOnly };
    if (http) {
      const port = this.port === undefined ? PORT : wholeNumber('--port', this.port, 0, PORT_MAX);
      await serveHttp({ ...options, port, host: this.host ?? HOST, needsToken: !noToken });
      return EXIT.ok;
    }
    if (noToken || this.port !== undefined || this.host !== undefined) {
      throw new Ben10Error('USAGE', '--port, --host and --no-token are for --http', {
        next: 'Run: ben10 serve --http',
      });
    }
    await serveHere(options);
    return EXIT.ok;
  }
}

const server = async () => (await import('./mcp.cjs')) as typeof import('../../mcp/main.ts');

/** A bundle of its own: no other command needs the protocol. */
async function serveHere(options: ServeOptions): Promise<void> {
  const { startServer } = await server();
  await startServer(options);
}

async function serveHttp(options: HttpOptions): Promise<void> {
  const { startHttpServer } = await server();
  await startHttpServer(options).catch((error: Ben10Error) => {
    // Its class is that of the other bundle.
    const { code, message, next } = error;
    throw code === undefined ? error : new Ben10Error(code, message, next ? { next } : {});
  });
}
