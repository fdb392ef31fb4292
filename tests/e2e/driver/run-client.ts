/**
 * Runs the real client against a scenario: one `claude -p` call, or a conversation of
 * several prompts in one process.
 *
 * Each run has a network namespace of its own, so two runs in the same project at once
 * need no two ports.
 */
import { clientAvailable } from './client-install.ts';
import { signal } from './processes.ts';
import { sessionOf } from './requests.ts';
import { clientEnvironment, type Sandbox } from './sandbox.ts';
import { forProject, type ModelRequest, type Scenario } from './scenario.ts';
import { type ClientExit, openStage, type Play } from './stage-process.ts';
import { sessionTranscript } from './transcripts.ts';
import { type TurnResult, TurnResults } from './turn-results.ts';

/** A run takes one to three seconds; whatever takes this long hangs. Milliseconds. */
const RUN_TIMEOUT_MS = 60_000;

/** Any name the client knows; it decides the size of the context window, 200,000 tokens here. */
export const MODEL = 'claude-haiku-4-5';

export interface RunOptions {
  scenario: Scenario;
  /** The session to go on with. */
  resume?: string;
  /** More arguments for the client. */
  args?: string[];
  /** Variables beside those of `clientEnvironment`. */
  env?: Record<string, string>;
  timeoutMs?: number;
  /**
   * Called for every request of the model, which answers only when this has returned and its
   * promise is fulfilled: the place to delay an answer, or to kill or stop something in mid-turn.
   */
  onRequest?: (request: ModelRequest, client: RunningClient) => void | Promise<void>;
}

export interface RunningClient {
  /** The client's process. */
  pid: number;
  /** Every request so far. */
  requests: ModelRequest[];
  /** Sends a prompt into a conversation; while the client is at work it is queued. */
  say(prompt: string): void;
  /** The result of turn `number` (1 is the first) as soon as that turn has ended. */
  turn(number: number): Promise<TurnResult>;
  /** Ends a conversation: the client finishes what it has and exits. */
  hangUp(): void;
  /** Signals the client's process, and only that. */
  kill(name: NodeJS.Signals): void;
  /** Fulfilled when the client has exited; rejected when that takes longer than `timeoutMs`. */
  done: Promise<ClientRun>;
}

export interface ClientRun {
  exitCode: number | null;
  /** The signal that ended the client, or null. */
  signal: NodeJS.Signals | null;
  /** One for each turn that ended. */
  results: TurnResult[];
  stderr: string;
  /** As the client told the model; the resumed one, or '', when it asked nothing. */
  sessionId: string;
  requests: ModelRequest[];
  /** The session's transcript, or null when the client wrote none. */
  transcript: string | null;
  durationMs: number;
}

/** Runs one `claude -p PROMPT` to its end. */
export async function runClient(
  sandbox: Sandbox,
  options: RunOptions & { prompt: string },
): Promise<ClientRun> {
  const client = await startClient(sandbox, options);
  return client.done;
}

/** Starts one `claude -p PROMPT` and returns as soon as it runs. */
export async function startClient(
  sandbox: Sandbox,
  options: RunOptions & { prompt: string },
): Promise<RunningClient> {
  const client = await start(sandbox, options, ['--output-format', 'json', '--', options.prompt]);
  client.hangUp();
  return client;
}

/** Starts a conversation: the client waits for `say`, and exits after `hangUp`. */
export function startConversation(sandbox: Sandbox, options: RunOptions): Promise<RunningClient> {
  const streams = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];
  return start(sandbox, options, streams);
}

async function start(
  sandbox: Sandbox,
  options: RunOptions,
  mode: string[],
): Promise<RunningClient> {
  const startedAt = Date.now();
  const requests: ModelRequest[] = [];
  const results = new TurnResults();
  const stage = openStage(playOf(sandbox, options, mode), options.timeoutMs ?? RUN_TIMEOUT_MS, {
    onLine: (line) => results.readLine(line),
    onRequest: async (request) => {
      requests.push(request);
      await stage.started;
      await options.onRequest?.(request, client);
    },
  });
  const runOf = (exit: ClientExit): ClientRun => {
    const sessionId = requests.map(sessionOf).find((id) => id !== null) ?? options.resume ?? '';
    const transcript = sessionTranscript(sandbox.home, sessionId);
    const durationMs = Date.now() - startedAt;
    return { ...exit, results: results.all, sessionId, requests, transcript, durationMs };
  };
  const client: RunningClient = {
    pid: -1,
    requests,
    done: stage.exited.then(runOf).finally(() => results.end()),
    say: (text) => stage.stdin.write(`${JSON.stringify(userMessage(text))}\n`),
    turn: (number) => results.nth(number),
    hangUp: () => stage.stdin.end(),
    kill: (name) => signal(client.pid, name),
  };
  // Whoever does not wait for the end is told by `turn`; an unhandled rejection helps nobody.
  client.done.catch(() => {});
  client.pid = await stage.started;
  return client;
}

function playOf(sandbox: Sandbox, options: RunOptions, mode: string[]): Play {
  const available = clientAvailable();
  if (!available.ok) throw new Error(`The real client cannot be driven here: ${available.why}`);
  const resume = options.resume === undefined ? [] : ['--resume', options.resume];
  const common = ['-p', '--model', MODEL, '--dangerously-skip-permissions', ...resume];
  return {
    scenario: forProject(options.scenario, sandbox.project),
    client: {
      binary: available.binary,
      args: [...common, ...(options.args ?? []), ...mode],
      cwd: sandbox.project,
      env: { ...clientEnvironment(sandbox), ...options.env },
    },
  };
}

/** The client's line for one prompt of a conversation. */
function userMessage(text: string): object {
  return { type: 'user', message: { role: 'user', content: text }, parent_tool_use_id: null };
}
