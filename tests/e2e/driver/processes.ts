/**
 * The processes of a sandbox, read from /proc (Linux).
 */
import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessInfo {
  pid: number;
  parent: number;
  /** The command line, its words separated by one space. */
  command: string;
  /** The kernel's letter: R, S, D, T (stopped), Z (ended, not yet waited for)… */
  state: string;
}

/** Every process whose environment began with this HOME, also one whose parent has ended. */
export function processesWithHome(home: string): ProcessInfo[] {
  return allProcesses().filter(({ pid }) =>
    (readProc(pid, 'environ') ?? '').split('\0').includes(`HOME=${home}`),
  );
}

/** The processes started by `pid`, and theirs, whose command line holds `words` (any when empty). */
export function descendantsOf(pid: number, words = ''): ProcessInfo[] {
  const all = allProcesses();
  const family = new Set([pid]);
  for (let size = 0; size !== family.size; ) {
    size = family.size;
    for (const one of all) if (family.has(one.parent)) family.add(one.pid);
  }
  return all.filter((one) => one.pid !== pid && family.has(one.pid) && one.command.includes(words));
}

/** Ends processes at once; one that is already gone is no error. */
export function killAll(processes: ProcessInfo[]): void {
  for (const { pid } of processes) signal(pid, 'SIGKILL');
}

/** Sends a signal. Returns false when the process is gone. */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

function allProcesses(): ProcessInfo[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((name) => {
    const pid = Number(name);
    const stat = readProc(pid, 'stat');
    const command = readProc(pid, 'cmdline');
    if (stat === null || command === null) return [];
    // "pid (name) state parent …": the name may itself hold brackets and spaces.
    const [state = '', parent = '0'] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return [{ pid, parent: Number(parent), state, command: command.split('\0').join(' ').trim() }];
  });
}

/** Null when the process ended meanwhile, or is not ours to read. */
function readProc(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return null;
  }
}
