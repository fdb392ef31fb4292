import type { FileSystem } from '../../src/platform/fs.ts';

/** What goes wrong: an error of the system, or a call that does less than it was asked to. */
export const FAULTS = [
  'EIO',
  'ENOSPC',
  'EDQUOT',
  'EMFILE',
  'EROFS',
  'EACCES',
  'EIO of syncs',
  'EIO of reads',
  'short write',
  'short read',
] as const;
export type Fault = (typeof FAULTS)[number];

export interface Plan {
  fault: Fault;
  /** Which call fails, from 1 on. */
  call: number;
  /** It, or it and all that come after. */
  how: 'once' | 'from then on';
}

/** Which calls can meet a fault at all. */
const CALLS = [
  'open',
  'read',
  'write',
  'truncate',
  'datasync',
  'syncDir',
  'rename',
  'unlink',
  'mkdir',
  'readdir',
  'stat',
  'statIfThere',
  'fstat',
] as const;
type Call = (typeof CALLS)[number];

/** Calls that such a fault is about. A disk that is full can still be read, and removed from. */
function concerns(fault: Fault, call: Call): boolean {
  if (fault === 'short write') return call === 'write';
  if (fault === 'short read') return call === 'read';
  if (fault === 'EMFILE') return call === 'open' || call === 'syncDir' || call === 'readdir';
  if (fault === 'EIO') return true;
  if (fault === 'EIO of reads') return call === 'read';
  if (fault === 'EIO of syncs') return call === 'datasync' || call === 'syncDir';
  if (fault === 'EROFS') return WRITES.has(call);
  if (fault === 'EACCES') return WRITES.has(call) || call === 'readdir' || call === 'stat';
  return ['open', 'write', 'datasync', 'mkdir', 'rename', 'syncDir'].includes(call);
}

const WRITES = new Set<Call>(['open', 'write', 'truncate', 'rename', 'unlink', 'mkdir', 'syncDir']);

/** A file system that fails at one call, and then behaves again or does not. */
export class FaultyFs {
  /** Calls so far that the fault could have met. */
  calls = 0;
  /** Of them, those that it met. */
  failed = 0;
  /** What must never happen: a file was synced again after its sync failed, and that was taken for success. */
  readonly trusted: string[] = [];
  readonly fs: FileSystem;
  readonly #plan: Plan;
  readonly #unsynced = new Set<number>();

  constructor(inner: FileSystem, plan: Plan) {
    this.#plan = plan;
    const fs = Object.create(inner) as Record<Call, (...args: never[]) => unknown> & FileSystem;
    for (const call of CALLS) {
      const real = (inner[call] as (...args: never[]) => unknown).bind(inner);
      fs[call] = ((...args: never[]) => this.#meet(call, real, args, inner)) as never;
    }
    fs.close = inner.close.bind(inner);
    this.fs = fs;
  }

  #meet(
    call: Call,
    real: (...args: never[]) => unknown,
    args: never[],
    inner: FileSystem,
  ): unknown {
    const { fault, call: at, how } = this.#plan;
    const inode = call === 'datasync' ? inner.fstat(args[0]!).ino : undefined;
    if (concerns(fault, call)) {
      this.calls += 1;
      const isNow = how === 'once' ? this.calls === at : this.calls >= at;
      if (isNow) {
        this.failed += 1;
        if (inode !== undefined) this.#unsynced.add(inode);
        return this.#fail(call, args, inner);
      }
    }
    if (inode !== undefined && this.#unsynced.has(inode)) this.trusted.push(`${call} of ${inode}`);
    return real(...args);
  }

  #fail(call: Call, args: never[], inner: FileSystem): unknown {
    const { fault } = this.#plan;
    if (fault === 'short write') {
      const [fd, bytes, position] = args as unknown as [number, Uint8Array, number];
      return inner.write(fd, bytes.subarray(0, bytes.length >> 1), position);
    }
    if (fault === 'short read') {
      const [fd, into, position] = args as unknown as [number, Uint8Array, number];
      return inner.read(fd, into.subarray(0, into.length >> 1), position);
    }
    const [code] = fault.split(' ');
    throw Object.assign(new Error(`${code}: injected into ${call}`), { code });
  }
}
