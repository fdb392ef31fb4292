import { Command, Option } from 'clipanion';
import type { HttpOptions, ServeOptions } from '../../mcp/main.ts';
import { PROFILE_NAMES, type ProfileChoice } from '../../platform/config/keys.ts';
import { Ben10Error } from '../../platform/errors.ts';
import { Ben10Command, EXIT } from '../command.ts';
import { oneOf, optionalNumber } from '../ui/arguments.ts';

const PROFILES: readonly ProfileChoice[] = [...PROFILE_NAMES, 'all'];
const PORT = 17373;
const PORT_MAX = 65_535;
const HOST = '127.0.0.1';

export class ServeCommand extends Ben10Command {
  static override paths = [['serve']];
  static override exits = {
    0: 'the client disconnected, or a signal ended the server',
    1: 'the server could not start',
  };
  static override choices = { NAMES: PROFILES };
  static override busy = '';
  static override usage = Command.Usage({
    category: 'Run by the client',
    description: 'Run the MCP server on stdin and stdout, or over HTTP.',
    details: `
      Claude Code starts this; \`ben10 init\` sets it up. The server records tool calls without a process for each, and gives
      the model tools to look up its past. Its log goes to stderr. If the server dies, nothing is lost: what it missed is
      read from the transcript at the end of the turn.

      With \`--http\` it serves Streamable HTTP at \`/mcp\`, without sessions. Clients send \`Authorization: Bearer TOKEN\` with
      the token that is printed on stderr, or that of the variable BEN10_HTTP_TOKEN.

      With \`--read-only\` nothing in \`.ben10\` is changed, and tools that write are not offered.
    `,
    examples: [
      ['Try it with the MCP Inspector', 'npx @modelcontextprotocol/inspector $0 serve'],
      ['With all tools', '$0 serve --profile all'],
      ['Read-only for programs on this machine', '$0 serve --http --read-only --no-token'],
    ],
  });

  profile = Option.String('--profile', {
    description: `<NAMES> Groups of tools, separated by commas: ${PROFILES.join(', ')}. Default: the setting mcp.profile.`,
  });
  readOnly = Option.Boolean('--read-only', false, { description: 'Change nothing in .ben10.' });
  http = Option.Boolean('--http', false, { description: 'Serve over HTTP.' });
  port = Option.String('--port', {
    description: `<N> The port for --http; 0 chooses a free one. Default: ${PORT}.`,
  });
  host = Option.String('--host', {
    description: `<NAME> The address for --http. Default: ${HOST}, for this machine only.`,
  });
  noToken = Option.Boolean('--no-token', false, {
    description: 'Require no token; only with --http and --read-only, on this machine.',
  });

  async execute() {
    const { profile, readOnly: isReadOnly, noToken, http } = this;
    const names = profile?.split(',').map((name) => oneOf('--profile', name.trim(), PROFILES));
    const options: ServeOptions = { profiles: names, isReadOnly };
    if (http) {
      const port = optionalNumber('--port', this.port, 0, PORT_MAX) ?? PORT;
      await serveHttp({ ...options, port, host: this.host ?? HOST, needsToken: !noToken });
      return EXIT.ok;
    }
    if (noToken || this.port !== undefined || this.host !== undefined) {
      throw new Ben10Error('USAGE', '--port, --host and --no-token need --http', {
        next: 'Run: ben10 serve --http',
      });
    }
    const { startServer } = await server();
    await startServer(options);
    return EXIT.ok;
  }
}

/** A separate bundle: no other command needs the MCP protocol. */
const server = async () => (await import('./mcp.cjs')) as typeof import('../../mcp/main.ts');

async function serveHttp(options: HttpOptions): Promise<void> {
  const { startHttpServer } = await server();
  await startHttpServer(options).catch((error: Ben10Error) => {
    // Its class is from another bundle.
    const { code, message, next } = error;
    throw code === undefined ? error : new Ben10Error(code, message, next ? { next } : {});
  });
}
