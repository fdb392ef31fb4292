import { canExecve } from '../hook/serving.ts';
import { type Handover, handedOver } from './handover.ts';
import type { Way } from './renewing.ts';
import { type FromServer, RENEWS, type ToServer } from './succession.ts';

type Execve = (file: string, args: readonly string[], env: NodeJS.ProcessEnv) => never;

/** In the same process; undefined where Node or the system has no such thing. */
export function inPlace(): Way | undefined {
  if (!canExecve()) return undefined;
  const { execve } = process as unknown as { execve: Execve };
  const environment: Way['environment'] = (handover) =>
    handedOver(process.env, process.pid, handover);
  return {
    environment,
    leave(handover) {
      const args = [process.argv0, ...process.execArgv, ...process.argv.slice(1)];
      execve(process.execPath, args, environment(handover));
    },
  };
}

/** The process that has started this one, if any has. */
export interface Supervisor {
  pid: number;
  /** What the server before this one has left. */
  handover: Handover | undefined;
  way: Way;
  /** Calls it when this process is to end: the other one has gone, or says that it will. */
  onGone(gone: () => void): void;
}

/** Waits for what it says first; undefined when it has gone already. */
export async function supervisor(): Promise<Supervisor | undefined> {
  const { ppid } = process;
  const first = await new Promise<ToServer | undefined>((heard) => {
    if (!process.connected) heard(undefined);
    process.once('message', (message: ToServer) => heard(message));
    process.once('disconnect', () => heard(undefined));
  });
  // The server ends when its client goes.
  process.channel?.unref();
  return first && { pid: ppid, handover: first.handover ?? undefined, way: followed, onGone };
}

function onGone(gone: () => void): void {
  process.once('disconnect', gone);
  if (!process.connected) gone();
}

/** The supervisor starts another process, once this one has ended. */
const followed: Way = {
  environment: () => process.env,
  async leave(handover) {
    const last: FromServer = { handover };
    // Until it is on its way: who ends before takes it along.
    await new Promise((sent) => process.send!(last, undefined, {}, sent));
    process.exit(RENEWS);
  },
};
