import { existsSync } from 'node:fs';
import { Ben10Error, errno } from '../../platform/errors.ts';
import { createLogger, parseLogLevel } from '../../platform/logger.ts';
import { randomHex, systemRandom } from '../../platform/random.ts';
import { takeInbox } from '../../project/inbox.ts';

import { endJournal } from '../create-context.ts';
import { startForgetting } from '../forgetting.ts';
import { serverProjectDir } from '../project-dir.ts';
import { jobsOf, openContext, type ServeOptions, surviveFaults } from '../serve.ts';
import { createStatelessServer } from '../server.ts';
import { createSyncTimer } from '../syncing.ts';
import { type Opened, Worker } from '../worker.ts';
import { isLoopback } from './guard.ts';
import type { Listening, ListenOptions } from './listen.ts';

export interface HttpOptions extends ServeOptions {
  host: string;
  /** 0 lets the system choose. */
  port: number;
  /** False: everybody on this machine may ask. */
  needsToken: boolean;
}

/** For what is being answered when the server is told to end, milliseconds. */
const CLOSE_MS = 1000;
const TOKEN_CHARS_MIN = 16;
const TOKEN_BYTES = 32;

/**
 * Serves MCP by HTTP until a signal ends it. Resolves when it listens; where, and with which token, is on stderr.
 * @throws Ben10Error USAGE
 */
export async function startHttpServer(options: HttpOptions): Promise<void> {
  const { host, port, isReadOnly = false } = options;
  const own = tokenOf(options, process.env.BEN10_HTTP_TOKEN);
  const log = createLogger(parseLogLevel(process.env.BEN10_LOG_LEVEL) ?? 'info');
  surviveFaults(log);
  const dir = options.dir ?? serverProjectDir(process.env, process.cwd());
  const timer = createSyncTimer(() => context.project.writer.syncIfDue(), log);
  const { touched } = timer;
  const { profiles } = options;
  const context = await openContext({ dir, profiles, isReadOnly, log, touched });
  const { settings, facts } = context;
  const worker = new Worker({ dir, settings, log: context.log, facts });
  const jobs = jobsOf(context, worker);
  const stopForgetting = startForgetting(context, worker);
  const opened = Promise.resolve<Opened>({ context, worker });
  const connect: ListenOptions['connect'] = (transport) => {
    jobs?.busy();
    const server = createStatelessServer(opened);
    server.onerror = (error) => context.log.debug(`protocol: ${error.message.slice(0, 200)}`);
    return server.connect(transport);
  };
  if (!isReadOnly && existsSync(context.project.layout.inbox)) takeInbox(context.project);
  const listening = await listenOn({ host, port, token: own.token, connect });
  const end = async () => {
    await listening.close(CLOSE_MS);
    timer.stop();
    stopForgetting();
    jobs?.stop();
    worker.stop();
    endJournal(context);
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
    throw new Ben10Error('USAGE', '--no-token would let anybody write or read from elsewhere', {
      next: 'Use it with --read-only, on the host 127.0.0.1, or leave it out.',
    });
  }
  if (given === '') return { token: randomHex(systemRandom, TOKEN_BYTES), isNew: true };
  if (given.length >= TOKEN_CHARS_MIN && /^[\x21-\x7e]+$/.test(given))
    return { token: given, isNew: false };
  const what = `BEN10_HTTP_TOKEN takes at least ${TOKEN_CHARS_MIN} letters, digits and signs`;
  throw new Ben10Error('USAGE', what, { next: 'For example: openssl rand -hex 32' });
}

/** Node's server and the SDK's transport are in a bundle of their own: a server on stdin does without. */
async function listenOn(options: ListenOptions): Promise<Listening> {
  const { listen } = (await import('./mcp-http.cjs')) as typeof import('./listen.ts');
  const where = `${options.host}, port ${options.port}`;
  try {
    return await listen(options);
  } catch (error) {
    const next = NEXT[errno(error) ?? ''] ?? 'Look at --host and --port.';
    throw new Ben10Error('USAGE', `cannot listen on ${where}: ${(error as Error).message}`, {
      next,
      cause: error,
    });
  }
}

const NEXT: Readonly<Record<string, string>> = {
  EADDRINUSE:
    'Another program has this port: choose one with --port, or --port 0 for any free one.',
  EACCES: 'Choose a port from 1024 on: ben10 serve --http --port 17373',
  EADDRNOTAVAIL: 'This machine has no such address: leave --host out for 127.0.0.1.',
  ENOTFOUND: 'There is no such host: leave --host out for 127.0.0.1.',
};
