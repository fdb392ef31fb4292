import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { Ben10Context } from '../../src/cli/context.ts';
import { run } from '../../src/cli/run.ts';
import { realPorts, scratch, twinOf } from '../support.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** What users run. */
export const PROGRAM = path.join(ROOT, 'dist/ben10.cjs');
/** A recorded session with one compaction: 51 facts, and 52 events once it is imported. */
export const SESSION = path.join(
  ROOT,
  'tests/fixtures/transcripts/claude-2.1.329-real-todo-app/transcript.jsonl',
);
export const SESSION_ID = 'd3165355-f445-4093-ae34-d89d2f2d29db';
/** Ten more sessions, recorded from the real client. */
export const SESSIONS = path.join(ROOT, 'tests/fixtures/real-client');

/** An environment without anything of whoever runs the tests, and a home of its own. */
export const cleanEnv = (home: string, more: Record<string, string> = {}) => ({
  PATH: process.env.PATH ?? '',
  HOME: home,
  TZ: 'UTC',
  ...more,
});

/** Runs the real program in a folder. */
export function ben10(
  cwd: string,
  args: readonly string[],
  env: Record<string, string> = {},
): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, [PROGRAM, ...args], {
    cwd,
    env: cleanEnv(path.join(cwd, 'no-home'), env),
    encoding: 'utf8',
  });
}

/** What the program printed as JSON, one value. */
export const json = <T = Record<string, unknown>>(result: { stdout: string }): T =>
  JSON.parse(result.stdout) as T;

/** What it printed as JSON lines. */
export const lines = <T = Record<string, unknown>>(result: { stdout: string }): T[] =>
  result.stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T);

/** A project with an empty journal. */
export function emptyProject(): string {
  const dir = scratch();
  mkdirSync(path.join(dir, '.ben10'), { mode: 0o700 });
  return dir;
}

let imported: string | undefined;

/** A project of its own with the recorded session in its journal. Imported once a test file, then copied. */
export function recordedProject(): string {
  if (imported === undefined) {
    const made = mkdtempSync(path.join(tmpdir(), 'ben10-cli-'));
    process.on('exit', () => rmSync(made, { recursive: true, force: true }));
    imported = made;
    mkdirSync(path.join(imported, '.ben10'), { mode: 0o700 });
    const result = ben10(imported, ['import', SESSION, '--json']);
    if (result.status !== 0) throw new Error(`import: ${result.stdout}${result.stderr}`);
  }
  const dir = scratch();
  twinOf(path.join(imported, '.ben10'), path.join(dir, '.ben10'));
  return dir;
}

/** A stream that keeps what is written to it, as a terminal or as a pipe. */
export class Memory extends Writable {
  text = '';
  readonly isTTY: boolean;
  readonly columns: number | undefined;

  constructor(columns?: number) {
    super({ decodeStrings: false });
    this.isTTY = columns !== undefined;
    this.columns = columns;
  }

  override _write(chunk: string | Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

export interface InMemory {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a command line in this process. @param columns of a terminal; without it stdout and stderr are pipes */
export async function inMemory(
  cwd: string,
  args: readonly string[],
  options: { env?: Record<string, string>; columns?: number; now?: number } = {},
): Promise<InMemory> {
  const stdout = new Memory(options.columns);
  const stderr = new Memory(options.columns);
  const context: Ben10Context = {
    env: cleanEnv(path.join(cwd, 'no-home'), options.env),
    stdin: process.stdin,
    stdout,
    stderr,
    colorDepth: 1,
    cwd,
    now: () => options.now ?? Date.now(),
    interruption: () => new AbortController().signal,
    lock: realPorts.lock,
  };
  const code = await run(args, context);
  return { code, stdout: stdout.text, stderr: stderr.text };
}

/** Runs a command in this process: a tenth of the work, where nothing depends on a process of its own. */
export async function here(
  cwd: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ status: number; stdout: string; stderr: string }> {
  const { code, ...said } = await inMemory(cwd, args, { env });
  return { status: code, ...said };
}

export interface Running {
  /** Resolves with everything printed so far as soon as it holds what is waited for. */
  until(holds: (stdout: string) => boolean): Promise<string>;
  /** Sends a signal and resolves with the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts the real program and leaves it running. */
export function start(cwd: string, args: readonly string[]): Running {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd,
    env: cleanEnv(path.join(cwd, 'no-home')),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stdout = '';
  const waiting: (() => void)[] = [];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
    for (const wake of waiting.splice(0)) wake();
  });
  const exited = new Promise<number | null>((resolve) => child.on('exit', resolve));
  return {
    async until(holds) {
      while (!holds(stdout)) {
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      return stdout;
    },
    async end(signal) {
      child.kill(signal);
      return exited;
    },
  };
}
