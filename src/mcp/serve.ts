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
import { MidTurn } from './mid-turn.ts';
import { oversizedAnswer } from './oversized.ts';
import { serverProjectDir } from './project-dir.ts';
import { createServer } from './server.ts';
import { loadSettings } from './settings.ts';
import { createSyncTimer } from './syncing.ts';
import { StdioTransport } from './transport.ts';
import { type Opened, Worker } from './worker.ts';

export interface ServeOptions {
  /** The project's folder; see `project-dir.ts` for the default. */
  dir?: string;
  /** Instead of the configured ones. */
  profiles?: readonly ProfileChoice[] | undefined;
  /** Nothing in `.ben10` is changed. */
  isReadOnly?: boolean;
}

/** How long the last writes to a slow client may take, milliseconds. */
const EXIT_MS = 1000;
/** The client's first requests come before the inbox, milliseconds. */
const DRAIN_AFTER_MS = 200;

/** Serves MCP on stdin and stdout until stdin ends or a signal arrives. Resolves when the journal is open. */
export async function startServer(options: ServeOptions = {}): Promise<void> {
  const log = startLog();
  let running: RunningServer | undefined;
  let draining: NodeJS.Timeout | undefined;
  let isOver = false;
  const opened = openServer(options, log);
  const server = createServer(opened);
  const transport = new StdioTransport(
    process.stdin,
    process.stdout,
    LINE_BYTES_MAX,
    (head, bytes) => oversizedAnswer(head, bytes, running?.context),
  );
  server.onerror = (error) =>
    (running?.context.log ?? log).debug(`protocol: ${error.message.slice(0, 200)}`);
  server.onclose = () => {
    isOver = true;
    clearTimeout(draining);
    running?.end();
    setTimeout(() => process.exit(), EXIT_MS).unref();
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => void transport.close());
  }
  // The protocol calls it before its own.
  transport.onmessage = () => running?.jobs?.busy();
  await server.connect(transport);
  running = await opened;
  const { context, end } = running;
  if (isOver) end();
  else draining = setTimeout(() => drainInbox(context), DRAIN_AFTER_MS).unref();
}

/** Logs to stderr. Unexpected errors are logged as well: one must not end the recording. */
export function startLog(): Logger {
  const log = createLogger(parseLogLevel(process.env.BEN10_LOG_LEVEL) ?? 'info');
  const survive = (error: unknown) => log.error(`unexpected: ${errorPlace(error)}`);
  // The client may not read it.
  process.stderr.on('error', () => {});
  process.on('uncaughtException', survive);
  process.on('unhandledRejection', survive);
  return log;
}

/** What a server consists of, besides its protocol. */
interface RunningServer extends Opened {
  /** Undefined for a read-only server. */
  jobs: Jobs | undefined;
  end(): void;
}

export async function openServer(options: ServeOptions, startLog: Logger): Promise<RunningServer> {
  const { profiles, isReadOnly = false } = options;
  const dir = options.dir ?? serverProjectDir(process.env, process.cwd());
  const [settings, hash] = await Promise.all([
    loadSettings(dir, startLog, isReadOnly),
    loadXxh64(),
  ]);
  if (profiles !== undefined) settings.config.mcp.profile = [...profiles];
  const log = createLogger(settings.config.mcp.logLevel);
  const timer = createSyncTimer(() => context.project.writer.syncIfDue(), log);
  const context = createContext({ dir, settings, log, hash, touched: timer.touched });
  const worker = new Worker({ dir, settings, log, facts: context.facts });
  const ask = (name: string) => worker.ask({ of: 'job', name });
  const jobs = isReadOnly ? undefined : startJobs(context, { program: __filename, ask });
  const stopForgetting = startForgetting(context, worker);
  const end = () => {
    timer.stop();
    stopForgetting();
    jobs?.stop();
    worker.stop();
    endJournal(context);
  };
  return { context, worker, midTurn: new MidTurn(context, worker), jobs, end };
}

/** Also finishes an interrupted erasure. */
export function drainInbox({ project, settings }: ServerContext): void {
  if (!settings.isReadOnly && existsSync(project.layout.inbox)) takeInbox(project);
}
