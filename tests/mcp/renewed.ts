import { readFileSync } from 'node:fs';

/** Whether this Node, which the servers under test run on as well, can put a program in its own place. */
export const canRenew = typeof (process as { execve?: unknown }).execve === 'function';

/** What the program that runs now in a server's process was left by the one before; undefined in the first. */
export function handoverOf(pid: number): Record<string, unknown> | undefined {
  const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  const own = variables.find((one) => one.startsWith('BEN10_HANDOVER='));
  return own === undefined ? undefined : JSON.parse(own.slice(own.indexOf('=') + 1));
}
