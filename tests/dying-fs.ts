import type { FileSystem } from '../src/platform/fs.ts';
import { realPorts } from './ports.ts';

/** The process is dead. */
class Crash extends Error {}

/** Calls after which the disk is another one than before, or may be. */
const CHANGING = [
  'open',
  'write',
  'truncate',
  'datasync',
  'syncDir',
  'rename',
  'unlink',
  'mkdir',
] as const;

/** The real file system, with something that happens at each call that changes the disk. */
export function watchedFs(
  before: (call: number, name: string, args: unknown[]) => void,
): FileSystem {
  let calls = 0;
  const fs: Record<string, unknown> = { ...realPorts.fs };
  for (const name of CHANGING) {
    const real = realPorts.fs[name] as (...args: unknown[]) => unknown;
    fs[name] = (...args: unknown[]) => {
      if (name === 'open' && args[1] === 'r') return real(...args);
      calls += 1;
      before(calls, name, args);
      return real(...args);
    };
  }
  return fs as unknown as FileSystem;
}

/** A file system on which the process dies at its `n`-th changing call, before it or in the middle of a write; of 0, never. */
export function dyingAt(n: number, half: boolean): { fs: FileSystem; calls: () => number } {
  let last = 0;
  const fs = watchedFs((call, name, args) => {
    last = call;
    if (call === n && half && name === 'write') {
      const [fd, bytes, at] = args as [number, Buffer, number];
      realPorts.fs.write(fd, bytes.subarray(0, bytes.length >> 1), at);
    }
    // A dead process tidies nothing up either.
    if (n > 0 && call >= n) throw new Crash();
  });
  return { fs, calls: () => last };
}

/** A file system whose `n`-th changing call fails, and no other. */
export const failingAt = (n: number): FileSystem =>
  watchedFs((call) => {
    if (call === n) throw Object.assign(new Error('EIO: made up by a test'), { code: 'EIO' });
  });
