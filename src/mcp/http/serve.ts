import { Ben10Error, errno } from '../../platform/errors.ts';
import { randomHex, systemRandom } from '../../platform/random.ts';
import { drainInbox, openServer, type ServeOptions, startLog } from '../serve.ts';
import { createStatelessServer } from '../server.ts';
import { isLoopback } from './guard.ts';
import type { Listening, ListenOptions } from './listen.ts';

export interface HttpOptions extends ServeOptions {
  host: string;
  /** 0 lets the system choose. */
  port: number;
  needsToken: boolean;
}

/** How long requests in progress may take when the server ends, milliseconds. */
const CLOSE_MS = 1000;
const TOKEN_CHARS_MIN = 16;
const TOKEN_BYTES = 32;

/** Serves MCP over HTTP until a signal ends it. Prints address and token to stderr. @throws Ben10Error USAGE */
export async function startHttpServer(options: HttpOptions): Promise<void> {
  const { host, port } = options;
  const own = tokenOf(options, process.env.BEN10_HTTP_TOKEN);
  const running = await openServer(options, startLog());
  const { context, jobs } = running;
  const connect: ListenOptions['connect'] = (transport) => {
    jobs?.busy();
    const server = createStatelessServer(Promise.resolve(running));
    server.onerror = (error) => context.log.debug(`protocol: ${error.message.slice(0, 200)}`);
    return server.connect(transport);
  };
  drainInbox(context);
  const listening = await listenOn({ host, port, token: own.token, connect });
  const end = async () => {
    await listening.close(CLOSE_MS);
    running.end();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, end);
  const name = host.includes(':') ? `[${host}]` : host;
  const said = own.isNew ? `Authorization: Bearer ${own.token}\n` : '';
  process.stderr.write(`ben10 serves MCP on http://${name}:${listening.port}/mcp\n${said}`);
}

/** @throws Ben10Error USAGE */
function tokenOf(
  { needsToken, host, isReadOnly = false }: HttpOptions,
  given = '',
): { token: string | undefined; isNew: boolean } {
  if (!needsToken) {
    if (isLoopback(host) && isReadOnly) return { token: undefined, isNew: false };
    throw new Ben10Error('USAGE', '--no-token needs --read-only and a local --host', {
      next: 'Use it with --read-only and the host 127.0.0.1, or leave it out.',
    });
  }
  if (given === '') return { token: randomHex(systemRandom, TOKEN_BYTES), isNew: true };
  if (given.length >= TOKEN_CHARS_MIN && /^[\x21-\x7e]+$/.test(given))
    return { token: given, isNew: false };
  const what = `BEN10_HTTP_TOKEN needs at least ${TOKEN_CHARS_MIN} visible ASCII characters`;
  throw new Ben10Error('USAGE', what, { next: 'For example: openssl rand -hex 32' });
}

/** A separate bundle: a server on stdin needs neither Node's HTTP server nor the SDK's transport. */
async function listenOn(options: ListenOptions): Promise<Listening> {
  const { listen } = (await import('./mcp-http.cjs')) as typeof import('./listen.ts');
  const where = `${options.host}, port ${options.port}`;
  try {
    return await listen(options);
  } catch (error) {
    const next = NEXT[errno(error) ?? ''] ?? 'Check --host and --port.';
    throw new Ben10Error('USAGE', `cannot listen on ${where}: ${(error as Error).message}`, {
      next,
      cause: error,
    });
  }
}

const NEXT: Readonly<Record<string, string>> = {
  EADDRINUSE:
    'Another program uses this port. Choose another with --port, or a free one with --port 0.',
  EACCES: 'Choose a port of 1024 or more: ben10 serve --http --port 17373',
  EADDRNOTAVAIL: 'This machine does not have this address. Leave out --host to use 127.0.0.1.',
  ENOTFOUND: 'This host does not exist. Leave out --host to use 127.0.0.1.',
};
