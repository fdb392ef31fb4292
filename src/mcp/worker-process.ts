import { Ben10Error } from '../platform/errors.ts';
import { createLogger } from '../platform/logger.ts';
import { ofSystem } from '../platform/system-error.ts';
import { VERSION } from '../platform/version.ts';
import { loadXxh64 } from '../platform/xxh64-wasm.ts';
import type { Ask, Reply } from './asking.ts';
import type { ServerContext, ServerFacts } from './context.ts';
import { createContext, endJournal } from './create-context.ts';
import { errorPlace } from './error-place.ts';
import { replyTo } from './questions.ts';
import { createSyncTimer } from './syncing.ts';
import type { Failure, FromWorker, ToWorker } from './worker.ts';

const LOOK_EVERY_MS = 1000;
/** Then its memory is worth more than the tenth of a second that a new one takes. */
const IDLE_MS = 10 * 60 * 1000;

type Opening = Extract<ToWorker, { open: unknown }>['open'];
type Asked = Extract<ToWorker, { question: unknown }>;

/** The process that `worker.ts` starts: answers the server's questions, and ends with it. */
export function work(): void {
  let context: Promise<ServerContext> | undefined;
  let facts: ServerFacts | undefined;
  let isEnding = false;
  let askedAt = Date.now();
  const inFlight = new Set<number>();
  /** Open questions to the user, by the id of the call. */
  const asking = new Map<number, (said: Reply) => void>();

  const end = async (code = 0) => {
    const open = await context?.catch(() => undefined);
    open?.afterwards.finish();
    if (open !== undefined) endJournal(open);
    process.exit(code);
  };
  const answer = async ({ id, question, facts: latest, canAsk }: Asked) => {
    askedAt = Date.now();
    inFlight.add(id);
    facts = latest;
    const ask: Ask = (asks) => {
      void tell({ id, asks });
      return new Promise((said) => asking.set(id, said));
    };
    try {
      const open = await context!;
      await open.afterwards.after(async () => {
        const reply = await replyTo(question, open, canAsk ? ask : undefined);
        await tell({ id, reply });
      });
    } catch (error) {
      await tell({ id, failed: failureOf(error) });
    }
    inFlight.delete(id);
    if (isEnding && inFlight.size === 0) await end();
  };
  process.on('message', (message: ToWorker) => {
    if ('open' in message) {
      context = open(message.open, () => facts!);
      context.catch(() => {}); // each answer reports it
    } else if ('question' in message) void answer(message);
    else if ('said' in message) asking.get(message.id)?.(message.said);
    else {
      isEnding = true;
      if (inFlight.size === 0) void end();
    }
  });
  process.on('disconnect', () => void end());
  // The server fails the open questions, and starts another process.
  const log = createLogger('info');
  const give = (error: unknown) => {
    log.error(`unexpected: ${errorPlace(error)}`);
    void end(1);
  };
  process.on('uncaughtException', give);
  process.on('unhandledRejection', give);
  // A terminal sends these to both; the server ends this process.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
  process.stderr.on('error', () => {});

  setInterval(() => {
    if (isEnding || context === undefined) return;
    const isIdle = inFlight.size === 0 && Date.now() - askedAt > IDLE_MS;
    if (isIdle) void tell({ retires: true });
  }, LOOK_EVERY_MS).unref();
}

async function open(
  { dir, settings, version }: Opening,
  facts: () => ServerFacts,
): Promise<ServerContext> {
  if (version !== VERSION) {
    throw new Ben10Error('MCP_TOOL_ERROR', 'ben10 was updated since this server was started', {
      next: 'Restart the client, or its connection to the MCP server ben10.',
    });
  }
  const log = createLogger(settings.config.mcp.logLevel);
  const timer = createSyncTimer(() => context.project.writer.syncIfDue(), log);
  const hash = await loadXxh64();
  const { touched } = timer;
  const context = createContext({ dir, settings, log, hash, touched, facts });
  return context;
}

function failureOf(error: unknown): Failure {
  const { message } = error as Error;
  const known = error instanceof Ben10Error ? error : ofSystem(error);
  if (known === undefined) return { message };
  const { code, next } = known;
  return { code, message, ...(next !== undefined && { next }) };
}

/** Resolves when the message was sent: a process that exits earlier would lose it. */
const tell = (message: FromWorker): Promise<void> =>
  new Promise((sent) => {
    if (process.connected) process.send!(message, undefined, {}, () => sent());
    else sent();
  });
