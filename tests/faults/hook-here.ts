import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Script } from 'node:vm';
import type { HookRun } from '../hook/run-hook.ts';
import type { Plan } from './faulty-fs.ts';
import type { HookEvent, HookProject } from './hook-project.ts';
import type { HookReport } from './hooks.ts';

const require = createRequire(path.resolve(import.meta.dirname, 'hook-here.ts'));

/** How the program is made to end: by an exception that it does not know. */
class Ended extends Error {}

/** What a process that runs one gives it, and takes from it. */
interface Running {
  stdin: Buffer;
  read: number;
  said: { stdout: string; stderr: string };
  opened: Set<number>;
  code: number | undefined;
}

/**
 * The descriptors 0 to 2 are the hook's own while it runs, and what it leaves open is noted, to be closed as when a process ends.
 * @returns what takes all of that back
 */
function lend(running: Running): () => void {
  const { fstatSync, readSync, writeSync, openSync, closeSync } = fs;
  const lent = {
    fstatSync: (fd: number, ...more: []) =>
      fd === 0 ? { mode: fs.constants.S_IFIFO, size: 0 } : fstatSync(fd, ...more),
    readSync: (fd: number, into: Buffer, ...more: [number, number, null]) => {
      if (fd !== 0) return readSync(fd, into, ...more);
      const [offset = 0, length = into.length - offset] = more;
      const part = running.stdin.subarray(running.read, running.read + length);
      running.read += part.length;
      into.set(part, offset);
      return part.length;
    },
    writeSync: (fd: number, what: Uint8Array, ...more: [number, number, null]) => {
      if (fd > 2) return writeSync(fd, what, ...more);
      const [offset = 0, length = what.length - offset] = more;
      const bytes = Buffer.from(what).subarray(offset, offset + length);
      running.said[fd === 1 ? 'stdout' : 'stderr'] += String(bytes);
      return bytes.length;
    },
    openSync: (file: string, ...more: [string]) => {
      const fd = openSync(file, ...more);
      running.opened.add(fd);
      return fd;
    },
    closeSync: (fd: number) => {
      running.opened.delete(fd);
      closeSync(fd);
    },
  };
  Object.assign(fs, lent);
  Object.assign(Buffer.prototype, { latin1Slice: knownSlice });
  return () => {
    Object.assign(fs, { fstatSync, readSync, writeSync, openSync, closeSync });
    Object.assign(Buffer.prototype, { latin1Slice });
  };
}

const faulty = require('./faulty-node-fs.cjs') as {
  begin: (plan: Plan) => void;
  end: () => HookReport;
};

/** What V8 has compiled of a bundle it keeps for the next hook, as it does between processes by its cache. */
const scripts = new Map<string, Script>();
const vm = {
  Script: function Known(code: string, options: { filename: string; cachedData?: Buffer }) {
    const known = scripts.get(code) ?? new Script(code, options);
    scripts.set(code, known);
    known.cachedDataRejected = options.cachedData === undefined;
    return known;
  },
};
/** The same of a bundle's text, of which a new one is half a megabyte: by how many bytes it is made of. */
const texts = new Map<number, { bytes: Buffer; text: string }>();
const BUNDLE_BYTES_MIN = 40_000;
const { latin1Slice } = Buffer.prototype as unknown as { latin1Slice: Slice };
type Slice = (this: Buffer, from?: number, to?: number) => string;

function knownSlice(this: Buffer, from = 0, to = this.length): string {
  const isWhole = from === 0 && to === this.length && to >= BUNDLE_BYTES_MIN;
  if (!isWhole) return latin1Slice.call(this, from, to);
  const known = texts.get(to);
  if (known?.bytes.equals(this) === true) return known.text;
  const text = latin1Slice.call(this);
  texts.set(to, { bytes: Buffer.from(this), text });
  return text;
}

const requiring = (id: string): unknown => (id === 'node:vm' ? vm : require(id));

/**
 * Hooks of a project, one after the other within this process: the program as it is built, making the calls that it makes in a
 * process of its own, which takes many times as long.
 */
export class HooksHere {
  readonly #project: HookProject;
  readonly #file: string;
  readonly #script: Script;

  constructor(project: HookProject) {
    this.#project = project;
    this.#file = path.join(project.dist, 'ben10.cjs');
    const source = fs.readFileSync(this.#file, 'utf8').replace(/^#!.*/, '');
    const code = `(function(exports,require,module,__filename,__dirname){${source}\n})`;
    this.#script = new Script(code, { filename: this.#file });
  }

  run({ event, input }: HookEvent, plan: Plan): { hook: HookRun; report: HookReport } {
    const started = Date.now();
    const said = { stdout: '', stderr: '' };
    const stdin = Buffer.from(JSON.stringify(input));
    const running: Running = { stdin, read: 0, said, opened: new Set(), code: undefined };
    const undress = this.#dress(event, running);
    const takeBack = lend(running);
    faulty.begin(plan);
    try {
      this.#script.runInThisContext()({}, requiring, {}, this.#file, this.#project.dist);
      running.code ??= 0; // It came to its end by itself.
    } catch (error) {
      if (!(error instanceof Ended)) {
        running.code = 1;
        said.stderr += (error as Error).stack;
      }
    }
    const report = faulty.end();
    takeBack();
    undress();
    const { code = null, opened } = running;
    for (const fd of opened) fs.closeSync(fd);
    return { hook: { code, ...said, ms: Date.now() - started }, report };
  }

  /** What of the process is the hook's while it runs. */
  #dress(event: string, now: Running): () => void {
    const whole = process as unknown as Record<string, unknown>;
    const { argv, binding, reallyExit, getBuiltinModule, uptime } = whole;
    const begun = Date.now();
    const { env, stderr } = process;
    const cwd = process.cwd();
    const { write } = stderr;
    const { NODE_EXTRA_CA_CERTS: _, CLAUDECODE: __, ...own } = env;
    Object.assign(whole, {
      argv: [process.execPath, this.#file, 'hook', event],
      env: { ...own, CLAUDE_PROJECT_DIR: this.#project.dir },
      reallyExit: (code: number) => {
        now.code ??= code;
        throw new Ended('it ends here');
      },
      // It began now.
      uptime: () => (Date.now() - begun) / 1000,
      // Its stdin is no pipe of this process.
      binding: () => {
        throw new Error('not here');
      },
      // What it leaves to a process of its own: nobody starts one.
      getBuiltinModule: (name: string) =>
        name === 'node:child_process' ? { spawn: () => undefined } : require(name),
    });
    stderr.write = ((text: string) => {
      if (now.code === undefined) now.said.stderr += text;
      return true;
    }) as typeof write;
    process.chdir('/');
    return () => {
      Object.assign(whole, { argv, env, binding, reallyExit, getBuiltinModule, uptime });
      stderr.write = write;
      process.chdir(cwd);
    };
  }
}
