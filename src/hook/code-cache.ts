import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { Script } from 'node:vm';

/** Identifies the content of the bundles; filled in by the build. */
declare const HOOK_BUILD: string;

export type Require = (id: string) => unknown;
type Run = (
  exports: object,
  require: Require,
  module: object,
  __dirname: string,
  __filename: string,
) => void;

/** Follows V8's data: one bit for each kind of run whose functions are in it. */
const WORKS_BYTES = 4;
const PARAMETERS = 'exports,require,module,__dirname,__filename';

export interface Bundle<T> {
  exports: T;
  /**
   * Stores V8's compiled code for the next process, with that of earlier runs, unless this kind of run is in it.
   * Compiling is two thirds of a hook's time.
   * @param work kind of this run, 0 to 31: each compiles other functions
   */
  keep(work?: number): void;
}

/**
 * Loads a bundle beside this file, with V8's code cache if it fits. The cache lies beside the bundle and is trusted
 * as much; in a read-only folder there is none.
 * @param isFunction the build has wrapped the bundle in a function, as it does for hooks
 */
export function loadBundle<T extends object>(
  name: string,
  require: Require,
  isFunction = true,
): Bundle<T> {
  const file = `${__dirname}/${name}.cjs`;
  const cache = `${__dirname}/${name}-${HOOK_BUILD}-${process.version}-${process.arch}.cache`;
  const bytes = read(file);
  // Bundles are ASCII: decoding latin1 takes half the time.
  const text = bytes.toString('latin1');
  const code = isFunction ? text : `(function(${PARAMETERS}){${text}\n})`;
  const cached = readCache(cache, bytes);
  const cachedData = cached?.subarray(0, -WORKS_BYTES);
  const script = new Script(code, { filename: file, ...(cachedData && { cachedData }) });
  const module = { exports: {} as T };
  (script.runInThisContext() as Run)(module.exports, once(require), module, __dirname, file);
  const fits = cachedData !== undefined && script.cachedDataRejected === false;
  const keep = (work = 0) => {
    const works = fits ? cached!.readInt32LE(cachedData.length) : 0;
    if ((works & (1 << work)) === 0) writeCache(cache, script, works | (1 << work));
  };
  return { exports: module.exports, keep };
}

/** Each module of a bundle requires `node:fs`, and Node walks all its exports each time. */
function once(require: Require): Require {
  const loaded = new Map<string, unknown>();
  return (id) => {
    if (!loaded.has(id)) loaded.set(id, require(id));
    return loaded.get(id);
  };
}

/**
 * V8 checks only a cache's length and version, and would run whatever a bad disk made of it. So it is stored twice;
 * comparing takes 0.05 ms.
 * @param spare memory for reuse: touching new pages is slower than reading
 */
function readCache(file: string, spare: Buffer): Buffer | undefined {
  try {
    const fd = openSync(file, 'r');
    try {
      const { size } = fstatSync(fd);
      const half = Buffer.allocUnsafeSlow(Math.floor(size / 2));
      let isWhole =
        size === 2 * half.length &&
        Math.min(half.length, spare.length) > WORKS_BYTES &&
        readSync(fd, half) === half.length;
      for (let at = 0; isWhole && at < half.length; at += spare.length) {
        const part = half.subarray(at, at + spare.length);
        const other = spare.subarray(0, readSync(fd, spare, 0, part.length, half.length + at));
        isWhole = part.equals(other);
      }
      return isWhole ? half : undefined;
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined; // there is none, or something else is in its place
  }
}

/** `readFileSync` without its detours, which cost half a millisecond in a new process. */
function read(file: string): Buffer {
  const fd = openSync(file, 'r');
  const bytes = Buffer.allocUnsafeSlow(fstatSync(fd).size);
  const length = readSync(fd, bytes);
  closeSync(fd);
  return bytes.subarray(0, length);
}

function writeCache(file: string, script: Script, works: number): void {
  const temp = `${file}.${process.pid}.tmp`;
  try {
    const fd = openSync(temp, 'wx');
    try {
      const bytes = script.createCachedData();
      const done = Buffer.alloc(WORKS_BYTES);
      done.writeInt32LE(works);
      const twice = Buffer.concat([bytes, done, bytes, done]);
      // A full disk first shows as a short write.
      if (writeSync(fd, twice) !== twice.length) throw new Error('no space left');
      fdatasyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temp, file);
  } catch {
    // A read-only folder, a full disk: hooks go on without a cache.
    try {
      unlinkSync(temp);
    } catch {
      // It was never created.
    }
  }
}
