import { readFileSync } from 'node:fs';

/** None of one that has ended, and where there is no /proc. */
function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return text.split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

const familyOf = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(familyOf)];

/** Ends a server at once, with the processes that it started. */
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
