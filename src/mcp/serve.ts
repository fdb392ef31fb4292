import { existsSync } from 'node:fs';
import { Socket } from 'node:net';
import { createLogger, type Logger, parseLogLevel } from '../platform/logger.ts';
import { loadXxh64 } from '../platform/xxh64-wasm.ts';
import { takeInbox } from '../project/inbox.ts';
import { createContext, endJournal, type ServerContext } from './context.ts';
import { errorPlace } from './error-place.ts';
import { startForgetting } from './forgetting.ts';
import { type Handover, introduce, takeHandover } from './handover.ts';
import { type Jobs, startJobs } from './jobs.ts';
import { LINE_BYTES_MAX } from './limits.ts';
import { oversizedAnswer } from './oversized.ts';
import type { Profile } from './profiles.ts';
import { serverProjectDir } from './project-dir.ts';
import { Renewal, type Way } from './renewing.ts';
import { createServer, type Served } from './server.ts';
import { loadSettings } from './settings.ts';
import { createSyncTimer } from './syncing.ts';
import { StdioTransport } from './transport.ts';
import { inPlace, supervisor } from './ways.ts';
import { Worker } from './worker.ts';

export interface ServeOptions {
  /** The project's folder; by default what the client says, see `project-dir.ts`. */
  dir?: string;
  /** In place of the configured one. */
  profile?: Profile | undefined;
  /** Started by a supervisor (`supervisor.ts`), and not by the client. */
  isSupervised?: boolean;
}

/** How long the last writes to a slow client may take, milliseconds. */
const EXIT_MS = 1000;
/** How long the process that reads may take to end before a server that starts anew, milliseconds. */
const WORKER_ENDS_MS = 1000;
/** When a renewal was put off for so long, it is waited for anew, milliseconds. */
const PUT_OFF_MS = 5000;
/** The client's first questions come before what waits in the inbox, milliseconds. */
const DRAIN_AFTER_MS = 200;

/**
 * Serves MCP on stdin and stdout until the client closes stdin or a signal ends it. Resolves when the journal is open;
 * the process then lives until its client goes, and ends by itself with exit code 0.
 */
export async function startServer(options: ServeOptions = {}): Promise<void> {
  const led = options.isSupervised ? await supervisor() : undefined;
  if (options.isSupervised && led === undefined) return;
  const inherited = takeHandover(process.env, process.pid);
  const before = led === undefined ? inherited : led.handover;
  const pid = led?.pid ?? process.pid;
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
    profile: options.profile,
    log,
    touched: timer.touched,
    pid,
    before,
  }).then((opening) => {
    const { settings, facts } = opening;
    return { context: opening, worker: new Worker({ dir, settings, log: opening.log, facts }) };
  });
  const served = createServer(opened);
  const { server } = served;
  const transport = new StdioTransport(
    process.stdin,
    process.stdout,
    LINE_BYTES_MAX,
    (head, bytes) => oversizedAnswer(head, bytes, context),
  );
  if (before !== undefined) await introduce(server, before);
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
  led?.onGone(() => void transport.close());
  // The protocol calls it before its own.
  transport.onmessage = () => jobs?.busy();
  await server.connect(transport);
  // Before anything was read: whoever waits for it later finds it here as well.
  await opened.then((opening) => {
    ({ context, worker } = opening);
    log = context.log;
    const ask = (name: string) => opening.worker.ask({ of: 'job', name });
    jobs = startJobs(context, { program: __filename, ask });
    const running = { worker, jobs, transport, served };
    // Of a file more may have been read than anybody here has seen; but then its end is near.
    const way = process.stdin instanceof Socket ? (led?.way ?? inPlace()) : undefined;
    stopForgetting = startForgetting(context, renewalOf(context, running, way));
    if (before === undefined) return;
    if (before.hasAppended) context.touched();
    void served.subscriptions.resume(before.watched, opening);
  });
  if (!isOver) draining = setTimeout(drainInbox, DRAIN_AFTER_MS, (await opened).context).unref();
}

/** A client starts its server once: a fault in one answer must not end the recording. */
function surviveFaults(log: Logger): void {
  const survive = (error: unknown) => log.error(`unexpected: ${errorPlace(error)}`);
  // Nobody may be reading it; that is not worth a word more.
  process.stderr.on('error', () => {});
  process.on('uncaughtException', survive);
  process.on('unhandledRejection', survive);
}

interface Opening {
  dir: string;
  profile: Profile | undefined;
  log: Logger;
  touched(): void;
  pid: number;
  before: Handover | undefined;
}

async function openContext(opening: Opening): Promise<ServerContext> {
  const { dir, profile, log, touched, pid, before } = opening;
  const [settings, hash] = await Promise.all([loadSettings(dir, log), loadXxh64()]);
  if (profile !== undefined) settings.config.mcp.profile = profile;
  return createContext({
    dir,
    settings,
    log: createLogger(settings.config.mcp.logLevel),
    hash,
    touched,
    pid,
    ...(before === undefined ? {} : { before: before.counts }),
  });
}

interface Running {
  worker: Worker;
  jobs: Jobs;
  transport: StdioTransport;
  served: Served;
}

function renewalOf(
  context: ServerContext,
  { worker, jobs, transport, served: { server, subscriptions } }: Running,
  way: Way | undefined,
): Renewal {
  const { startedAt, recordCounts } = context;
  let due: number | undefined;
  const isPatient = () => due === undefined || Date.now() - due < WORKER_ENDS_MS;
  return new Renewal(
    {
      isAnswered: () => transport.isQuiet,
      // What a job has started would be nobody's afterwards. Nor would anybody see the reading process end, which is not waited for
      // where a client asks so often that there is always one: what is left of that is a line in the table of processes.
      isQuiet: () => transport.isQuiet && !jobs.isRunning && !(worker.isRunning && isPatient()),
      tell: () => subscriptions.look(),
      retire: () => {
        if (due === undefined || Date.now() - due > PUT_OFF_MS) due = Date.now();
        worker.retire();
      },
      pause: () => transport.pause(),
      resume: () => transport.resume(),
      rest: () => {
        endJournal(context);
        context.reopen();
      },
      handover: () => ({
        canAsk: server.getClientCapabilities()?.elicitation?.form !== undefined,
        watched: subscriptions.watched(),
        hasAppended: context.hasAppended,
        counts: { startedAt, recordCounts, readOnly: context.readOnly },
      }),
    },
    way,
  );
}

/** What hooks left there while the lock was not to be had, or no server ran; and an erasure that was cut off. */
function drainInbox({ project }: ServerContext): void {
  if (existsSync(project.layout.inbox)) takeInbox(project);
}
