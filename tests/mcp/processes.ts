import { readFileSync } from 'node:fs';
import { SUPERVISED } from '../../src/hook/serving.ts';

const fileOf = (pid: number, name: string): string => readFileSync(`/proc/${pid}/${name}`, 'utf8');

/** None of one that has ended, and where there is no /proc. */
function childrenOf(pid: number): number[] {
  try {
    return fileOf(pid, `task/${pid}/children`).split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** Whether this Node, which the servers under test run on as well, has them run as another's child. */
export const isSupervised = process.platform === 'linux' && !('execve' in process);

/** A process, those that it has started, and what these have. */
export const familyOf = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(familyOf)];

/** Ends a server at once, whatever processes it is. */
export function killServer(pid: number): void {
  for (const one of familyOf(pid)) if (isAlive(one)) process.kill(one, 'SIGKILL');
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The process that serves a client: its own, or the one that this has started; undefined between two of these. */
export function serverOf(pid: number): number | undefined {
  if (!isSupervised) return pid;
  return childrenOf(pid).find((one) => fileOf(one, 'cmdline').split('\0').includes(SUPERVISED));
}

/**
 * What tells the program that serves now from the one before it, in the same process or in another: where the kernel has put
 * its stack, which is another place for each.
 */
export function programOf(pid: number): string | undefined {
  try {
    const server = serverOf(pid);
    if (server === undefined) return undefined;
    const stat = fileOf(server, 'stat');
    return `${server} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[25]}`;
  } catch {
    return undefined; // it has ended just then
  }
}

/** Children of a process that have ended, and of whose end it has not heard. */
export const zombiesOf = (pid: number): number[] =>
  childrenOf(pid).filter((child) => /\) Z/.test(fileOf(child, 'stat')));
