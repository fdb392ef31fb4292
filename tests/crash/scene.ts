import { execFile } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { seeded } from '../seeded.ts';

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));

export interface Stress {
  /** Empty; what is installed and the project are made in it. */
  dir: string;
  /** `lock-holder`, bundled. */
  lockHolder: string;
  /** Hook processes at once. */
  hooks: number;
  seconds: number;
  /** At least so many, on a busy machine for up to three times as long. */
  erasures: number;
  seed: number;
}

export interface StressTally extends Counts {
  /** That were not killed. */
  hooks: number;
  acknowledged: number;
  /** Of the hooks that were not killed, milliseconds. */
  p50: number;
  p99: number;
  /** What must not be, as sentences. */
  violations: string[];
}

interface Counts {
  /** Hooks that were. */
  killed: number;
  /** Tool calls that the server took, through `ben10_record`. */
  served: number;
  serversKilled: number;
  /** Holders of the lock. */
  stopped: number;
  compactions: number;
  /** By a text, and by an event's seq. */
  erasures: number;
  /** Of compactions and erasures, those that died and those that were stopped for a while. */
  maintainersKilled: number;
  maintainersStopped: number;
}

const run = promisify(execFile);

/** What all of them share: what was sent, what was acknowledged, what was erased, and when to end. */
export class Scene {
  readonly attempted = new Set<string>();
  readonly acknowledged = new Set<string>();
  /** Ids of events of which all was erased. */
  readonly erased = new Set<string>();
  /** Texts that were erased. */
  readonly canaries: string[] = [];
  readonly violations: string[] = [];
  readonly waits: number[] = [];
  readonly counts: Counts = {
    killed: 0,
    served: 0,
    serversKilled: 0,
    stopped: 0,
    compactions: 0,
    erasures: 0,
    maintainersKilled: 0,
    maintainersStopped: 0,
  };
  /** The project. */
  readonly dir: string;
  readonly root: string;
  readonly env: Record<string, string>;
  readonly random: () => number;
  readonly #installed: string;
  readonly #seconds: number;
  readonly #erasures: number;
  #start = 0;

  constructor({ dir, seconds, erasures, seed }: Stress) {
    this.dir = path.join(dir, 'project');
    this.root = path.join(this.dir, '.ben10');
    // As an installation has it: hooks leave what V8 compiled beside their bundles.
    this.#installed = path.join(dir, 'installed');
    cpSync(DIST, this.#installed, { recursive: true });
    mkdirSync(this.dir);
    this.#seconds = seconds;
    this.#erasures = erasures;
    this.random = seeded(seed);
    const { PATH = '' } = process.env;
    this.env = { PATH, HOME: dir, XDG_CONFIG_HOME: `${dir}/none`, CLAUDE_PROJECT_DIR: this.dir };
  }

  begin(): void {
    this.#start = Date.now();
  }

  get isOver(): boolean {
    const spent = (Date.now() - this.#start) / 1000;
    const isEnough = this.counts.erasures >= this.#erasures;
    return spent >= this.#seconds * (isEnough ? 1 : 3);
  }

  get program(): string {
    return path.join(this.#installed, 'ben10.cjs');
  }

  /** A hook's input. */
  call(id: string, more: string): Record<string, unknown> {
    this.attempted.add(id);
    return {
      session_id: 'stress',
      transcript_path: `${this.dir}/none.jsonl`,
      cwd: this.dir,
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: `echo ${id} ${more} ${'y'.repeat(id.length * 97)}` },
      tool_use_id: id,
    };
  }

  /** Runs a command to its end. @throws Node's error, with `stderr`, when it fails */
  ben10(args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
    const { dir: cwd, env } = this;
    return run(process.execPath, [this.program, ...args], {
      cwd,
      env,
      maxBuffer: 2 ** 30,
    });
  }
}
