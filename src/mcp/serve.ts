import { existsSync } from 'node:fs';
import type { ProfileChoice } from '../platform/config/keys.ts';
import { createLogger, type Logger, parseLogLevel } from '../platform/logger.ts';
import { loadXxh64 } from '../platform/xxh64-wasm.ts';
import { takeInbox } from '../project/inbox.ts';
import type { ServerContext } from './context.ts';
import { createContext, endJournal } from './create-context.ts';
import { errorPlace } from './error-place.ts';
import { startForgetting } from './forgetting.ts';
import { type Jobs, startJobs } from './jobs.ts';
import { LINE_BYTES_MAX } from './limits.ts';
import { oversizedAnswer } from './oversized.ts';
import { serverProjectDir } from './project-dir.ts';
import { createServer } from './server.ts';
import { loadSettings } from './settings.ts';
import { createSyncTimer } from './syncing.ts';
import { StdioTransport } from './transport.ts';
import { Worker } from './worker.ts';

export interface ServeOptions {
  /** The project's folder; by default what the client says, see `project-dir.ts`. */
  dir?: string;
  /** In place of the configured ones. */
  profiles?: readonly ProfileChoice[] | undefined;
  /** Nothing of `.ben10` is changed. */
  isReadOnly?: boolean;
}

/** How long the last writes to a slow client may take, milliseconds. */
const EXIT_MS = 1000;
/** The client's first questions come before what waits in the inbox, milliseconds. */
const DRAIN_AFTER_MS = 200;

/**
 * Serves MCP on stdin and stdout until the client closes stdin or a signal ends it. Resolves when the journal is open;
 * the process then lives until its client goes, and ends by itself with exit code 0.
 */
export async function startServer(options: ServeOptions = {}): Promise<void> {
  const dir = options.dir ?? serverProjectDir(process.env, process.cwd());
  let log = createLogger(parseLogLevel(process.env.BEN10_LOG_LEVEL) ?? 'info');
  surviveFaults(log);
  let context: ServerContext | undefined;
  let draining: NodeJS.Timeout | undefined;
  let stopForgetting: (() => void) | undefined;
  let jobs: Jobs | undefined;
  let worker: Worker | undefined;
  let isOver = false;
  const timer = createSyncTimer(() => context?.project.writer.syncIfDue(), log);
  const opened = openContext({
    dir,
    profiles: options.profiles,
    isReadOnly: options.isReadOnly ?? false,
    log,
    touched: timer.touched,
  }).then((opening) => {
    const { settings, facts } = opening;
    return { context: opening, worker: new Worker({ dir, settings, log: opening.log, facts }) };
  });
  const server = createServer(opened);
  const transport = new StdioTransport(
    process.stdin,
    process.stdout,
    LINE_BYTES_MAX,
    (head, bytes) => oversizedAnswer(head, bytes, context),
  );
  server.onerror = (error) => log.debug(`protocol: ${error.message.slice(0, 200)}`);
  server.onclose = () => {
    isOver = true;
    timer.stop();
    stopForgetting?.();
    jobs?.stop();
    worker?.stop();
    clearTimeout(draining);
    if (context !== undefined) endJournal(context);
    setTimeout(() => process.exit(), EXIT_MS).unref();
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => void transport.close());
  }
  // The protocol calls it before its own.
  transport.onmessage = () => jobs?.busy();
  await server.connect(transport);
  // Before anything was read: whoever waits for it later finds it here as well.
  await opened.then((opening) => {
    ({ context, worker } = opening);
    log = context.log;
    jobs = jobsOf(context, worker);
    stopForgetting = startForgetting(context, worker);
  });
  if (!isOver) draining = setTimeout(drainInbox, DRAIN_AFTER_MS, (await opened).context).unref();
}

/** A client starts its server once: a fault in one answer must not end the recording. */
export function surviveFaults(log: Logger): void {
  const survive = (error: unknown) => log.error(`unexpected: ${errorPlace(error)}`);
  // Nobody may be reading it; that is not worth a word more.
  process.stderr.on('error', () => {});
  process.on('uncaughtException', survive);
  process.on('unhandledRejection', survive);
}

interface Opening {
  dir: string;
  profiles: readonly ProfileChoice[] | undefined;
  isReadOnly: boolean;
  log: Logger;
  touched(): void;
}

/** With the settings as they hold now. */
export async function openContext(opening: Opening): Promise<ServerContext> {
  const { dir, profiles, isReadOnly, log, touched } = opening;
  const [settings, hash] = await Promise.all([loadSettings(dir, log, isReadOnly), loadXxh64()]);
  if (profiles !== undefined) settings.config.mcp.profile = [...profiles];
  return createContext({
    dir,
    settings,
    log: createLogger(settings.config.mcp.logLevel),
    hash,
    touched,
  });
}

/** The features' background jobs; a server that may only read does none. */
export function jobsOf(context: ServerContext, worker: Worker): Jobs | undefined {
  if (context.settings.isReadOnly) return undefined;
  const ask = (name: string) => worker.ask({ of: 'job', name });
  return startJobs(context, { program: __filename, ask });
}

/** What hooks left there while the lock was not to be had, or no server ran; and an erasure that was cut off. */
function drainInbox({ project, settings }: ServerContext): void {
  if (settings.isReadOnly) return;
  if (existsSync(project.layout.inbox)) takeInbox(project);
}
