import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * When a process was started, in words that no later process of the same number shares. Empty on Windows, where nobody tells it cheaply.
 * @returns undefined if there is none, or only its remains
 */
export function startOf(pid: number): string | undefined {
  if (process.platform === 'linux') return startByProc(pid);
  if (process.platform === 'win32') return isThere(pid) ? '' : undefined;
  const args = ['-o', 'stat=,lstart=', '-p', `${pid}`];
  const [stat, ...start] = (
    spawnSync('ps', args, { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } }).stdout ?? ''
  )
    .trim()
    .split(/\s+/);
  return start.length === 0 || stat!.startsWith('Z') ? undefined : start.join(' ');
}

/** Ticks since the machine started, and which start of it that was. */
function startByProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name stands in brackets, and may hold any.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return /^[ZX]/.test(fields[0]!) ? undefined : `${boot} ${fields[19]}`;
  } catch {
    return undefined;
  }
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
