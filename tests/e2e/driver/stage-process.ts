/**
 * The parent's end of stage.mjs: starts it in a network namespace of its own, takes its
 * messages, and ends everything under it when a run takes too long.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { descendantsOf, killAll, signal } from './processes.ts';
import type { ModelRequest, Scenario } from './scenario.ts';

const STAGE = fileURLToPath(new URL('./stage.mjs', import.meta.url));

export interface Play {
  scenario: Scenario;
  client: { binary: string; args: string[]; cwd: string; env: Record<string, string> };
}

export interface StageListeners {
  /** The model answers when the promise is fulfilled; a rejection ends the run. */
  onRequest(request: ModelRequest): Promise<void>;
  /** One line of the client's stdout. */
  onLine(line: string): void;
}

export interface ClientExit {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  stderr: string;
}

export interface Stage {
  /** The client's stdin. */
  stdin: NodeJS.WritableStream;
  /** The client's process id, as soon as it runs; rejected as `exited` is. */
  started: Promise<number>;
  /** Rejected when the run fails or lasts longer than its limit. */
  exited: Promise<ClientExit>;
}

type StageMessage =
  | { kind: 'started'; pid: number }
  | { kind: 'request'; request: ModelRequest }
  | { kind: 'exited'; code: number | null; signal: NodeJS.Signals | null };

export function openStage(play: Play, timeoutMs: number, listeners: StageListeners): Stage {
  const stage = spawn('unshare', ['-n', process.execPath, STAGE], {
    env: { PATH: process.env.PATH },
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
  });
  const [stdin, stdout, stderr] = [stage.stdin!, stage.stdout!, stage.stderr!];
  // A client that exits before it has read its input closes the pipe; its exit says enough.
  stdin.on('error', () => {});
  splitLines(stdout, listeners.onLine);
  let errors = '';
  stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });

  let exit: Omit<ClientExit, 'stderr'> | null = null;
  const started = new Promise<number>((resolve) => {
    stage.on('message', (message: StageMessage) => {
      if (message.kind === 'started') resolve(message.pid);
      if (message.kind === 'exited') exit = { exitCode: message.code, signal: message.signal };
    });
  });
  const exited = new Promise<ClientExit>((resolve, reject) => {
    let failure: Error | null = null;
    const fail = (error: Error): void => {
      failure ??= error;
      endTree(stage);
    };
    stage.on('message', (message: StageMessage) => {
      if (message.kind !== 'request') return;
      const { index } = message.request;
      // A client that was killed while it waited has taken the stage with it.
      const answer = () => stage.connected && stage.send({ kind: 'answer', index });
      listeners.onRequest(message.request).then(answer, fail);
    });
    const late = new Error(`The client ran longer than ${timeoutMs} ms`);
    const timer = setTimeout(() => fail(late), timeoutMs);
    // 'close' comes when stdout has been read to its end, which 'exit' does not promise.
    stage.once('close', () => {
      clearTimeout(timer);
      if (failure !== null) reject(failure);
      else if (exit === null) reject(new Error(`The stage ended before the client: ${errors}`));
      else resolve({ ...exit, stderr: errors });
    });
  });
  stage.send({ kind: 'play', ...play });
  return { stdin, started: Promise.race([started, exited.then(() => started)]), exited };
}

/** Calls `onLine` for each line, the last one too when it has no end. */
function splitLines(stream: NodeJS.ReadableStream, onLine: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  });
  stream.on('end', () => {
    if (rest !== '') onLine(rest);
  });
}

function endTree(stage: ChildProcess): void {
  if (stage.pid === undefined) return;
  const tree = descendantsOf(stage.pid);
  signal(stage.pid, 'SIGKILL');
  killAll(tree);
}
