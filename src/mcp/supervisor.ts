import { type ChildProcess, spawn } from 'node:child_process';
import { SUPERVISED } from '../hook/serving.ts';
import type { Handover } from './handover.ts';
import { type FromServer, RENEWS, type ToServer } from './succession.ts';

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
/** In which a server ends that was told to: a second for its last words to a slow client, and the journal's sync, milliseconds. */
const ENDS_MS = 1500;
const NO_OTHER = 'ben10: the server ended to start anew, and no process can be started\n';

/**
 * Runs the server as a child on this process' own stdin and stdout, and starts the next one when that ends to be renewed: the
 * kernel takes back what the old one had in memory. Ends as the last one does. Nothing is read here of what the client or the
 * journal says, so there is nothing to forget; the client sees one process, whose pipes stay.
 * @param args of the server, behind `SUPERVISED`
 * @returns false where no process can be started: nothing is supervised then
 */
export function supervise(args: readonly string[]): boolean {
  let server: ChildProcess | undefined;
  let isOver = false;
  const watch = (child: ChildProcess, before: Handover | null) => {
    let left: Handover | undefined;
    child.on('message', (message: FromServer) => {
      left = message.handover;
    });
    // Its last words may come behind its end.
    const gone = () => {
      const { exitCode, signalCode } = child;
      if ((exitCode === null && signalCode === null) || child.connected) return;
      if (exitCode !== RENEWS || left === undefined) endAs(exitCode, signalCode);
      else if (isOver) process.exit();
      else if (!follow(left)) {
        process.stderr.write(NO_OTHER);
        process.exit(1);
      }
    };
    child.on('exit', gone);
    child.on('disconnect', gone);
    const first: ToServer = { handover: before };
    // One that has gone says so by its end.
    child.send(first, () => {});
  };
  const follow = (handover: Handover | null): boolean => {
    server = start(args);
    if (server !== undefined) watch(server, handover);
    return server !== undefined;
  };
  // A server ends when its supervisor is not there any more, or says that it will not be.
  const end = () => {
    isOver = true;
    if (server?.connected) server.disconnect();
    setTimeout(() => server?.kill('SIGKILL'), ENDS_MS);
  };
  for (const signal of SIGNALS) process.on(signal, end);
  const isStarted = follow(null);
  if (!isStarted) for (const signal of SIGNALS) process.off(signal, end);
  return isStarted;
}

/** Undefined where the system starts no process. */
function start(args: readonly string[]): ChildProcess | undefined {
  const command = [...process.execArgv, process.argv[1]!, SUPERVISED, ...args];
  try {
    const child = spawn(process.execPath, command, {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      windowsHide: true,
    });
    child.on('error', () => {}); // it has no pid then
    return child.pid === undefined ? undefined : child;
  } catch {
    return undefined;
  }
}

function endAs(code: number | null, signal: NodeJS.Signals | null): void {
  if (signal === null) process.exit(code ?? 1);
  for (const one of SIGNALS) process.removeAllListeners(one);
  process.exitCode = 1; // where it does not end by the signal
  process.kill(process.pid, signal);
}
