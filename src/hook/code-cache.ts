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

/** Names the content of the bundles that are loaded so; filled in by the build. */
declare const HOOK_BUILD: string;

export type Require = (id: string) => unknown;
type Run = (
  exports: object,
  require: Require,
  module: object,
  __dirname: string,
  __filename: string,
) => void;

/** Behind what V8 gives, which works are in it: one bit each. */
const WORKS_BYTES = 4;
const PARAMETERS = 'exports,require,module,__dirname,__filename';

export interface Bundle<T> {
  exports: T;
  /**
   * Leaves what V8 has compiled until now for the next process, with what those before have left, unless one has that did the
   * same. Compiling is two thirds of what a hook does.
   * @param work which of the bundle's works this process has done, 0 to 31: each compiles other functions
   */
  keep(work?: number): void;
}

/**
 * Loads a bundle that stands beside this file, from V8's code cache where there is one that fits. The cache stands
 * beside the bundle and is as much to be trusted; where that folder cannot be written, there is none.
 * @param isFunction whether it is one function, as the build makes those of hooks: to make it one here takes a moment
 */
export function loadBundle<T extends object>(
  name: string,
  require: Require,
  isFunction = true,
): Bundle<T> {
  const file = `${__dirname}/${name}.cjs`;
  const cache = `${__dirname}/${name}-${HOOK_BUILD}-${process.version}-${process.arch}.cache`;
  const bytes = read(file);
  // The build leaves nothing but ASCII in them, of which a text is made in half the time.
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

/** Every module of a bundle asks for `node:fs` by itself, and Node goes through all of its exports each time. */
function once(require: Require): Require {
  const loaded = new Map<string, unknown>();
  return (id) => {
    if (!loaded.has(id)) loaded.set(id, require(id));
    return loaded.get(id);
  };
}

/**
 * V8 looks at a cache's length and its own version, and would run whatever else a bad disk made of it. So it is kept
 * twice: to compare the halves costs a twentieth of a millisecond.
 * @param spare memory that nobody needs any more: the first touch of a page takes longer than to read what goes there
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

/** As `readFileSync` does, but for the half millisecond that its many ways take in a process that has just begun. */
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
      // A full disk shows as a short write first.
      if (writeSync(fd, twice) !== twice.length) throw new Error('no space left');
      fdatasyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temp, file);
  } catch {
    // A folder that cannot be written, a full disk: hooks go on without.
    try {
      unlinkSync(temp);
    } catch {
      // It was never there.
    }
  }
}
