import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { ben10, cleanEnv, json, lines, PROGRAM } from '../cli/support.ts';
import { scratch } from '../support.ts';

const CLIENT = path.join(import.meta.dirname, 'client.mjs');

/** What the client does in an iteration; see `client.mjs`. The last step is repeated. */
export interface Step {
  say?: string;
  /** Milliseconds before its result. */
  ms?: number;
  write?: Record<string, string>;
  /** Raw lines, or objects, before its result. */
  lines?: unknown[];
  exit?: number;
  isError?: boolean;
  subtype?: string;
  cost?: number;
  usage?: Record<string, number>;
  fail?: string;
  ignoresInt?: boolean;
  /** A file for its prompt and arguments. */
  keep?: string;
}

interface Told {
  /** `beside`: another one was still at work. */
  what: 'start' | 'stop' | 'beside';
  pid: number;
  n: number;
}

export interface Shown {
  loop: string;
  state: string;
  iterations: number;
  tokens: number;
  costUsd: number;
  minutes: number;
  limits: Record<string, unknown>;
  newest: { n: number; outcome: string; isPromised: boolean; session: string; peak: number };
  official: string | null;
}

/** A project in a repository, with a client by a script. */
export class Place {
  readonly dir = scratch();
  readonly beside = scratch();
  readonly #log = path.join(this.beside, 'log');
  readonly env: Record<string, string>;

  constructor(steps: readonly Step[], env: Record<string, string> = {}) {
    mkdirSync(path.join(this.dir, '.ben10'), { mode: 0o700 });
    this.git('init', '-q', '-b', 'main');
    this.git('config', 'user.email', 'a@b');
    this.git('config', 'user.name', 'a');
    this.write({ 'work.txt': 'nothing yet', '.gitignore': '.ben10/\n.claude/\n' });
    this.git('add', '-A');
    this.git('commit', '-qm', 'start');
    this.script(steps);
    const script = path.join(this.beside, 'script');
    const home = path.join(this.beside, 'home');
    const { HOME, ...given } = cleanEnv(home, { SCRIPT: script, CLIENT_LOG: this.#log, ...env });
    this.env = { HOME: HOME!, ...(given as Record<string, string>) };
  }

  script(steps: readonly Step[]): void {
    writeFileSync(path.join(this.beside, 'script'), JSON.stringify(steps));
  }

  write(files: Record<string, string>): void {
    for (const [name, text] of Object.entries(files))
      writeFileSync(path.join(this.dir, name), text);
  }

  git(...args: string[]): string {
    return execFileSync('git', args, { cwd: this.dir, encoding: 'utf8' });
  }

  /** Runs `ben10 loop …` to its end. */
  loop(...args: string[]) {
    return ben10(this.dir, ['loop', ...args], this.env);
  }

  run(...args: string[]) {
    const result = this.loop('run', '--json', ...withClient(args));
    return { ...result, shown: result.stdout === '' ? undefined : json<Shown>(result) };
  }

  /** Starts `ben10 loop …` and leaves it running. */
  start(...args: string[]): ChildProcess & { said: () => string } {
    const words = args[0] === 'run' ? ['run', ...withClient(args.slice(1))] : args;
    const child = spawn(process.execPath, [PROGRAM, 'loop', ...words], {
      cwd: this.dir,
      env: this.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (said += text));
    onTestFinished(() => void child.kill('SIGKILL'));
    return Object.assign(child, { said: () => said });
  }

  status(): Shown {
    return json<Shown>(this.loop('status', '--json'));
  }

  events(...types: string[]): { seq: number; type: string; data: Record<string, unknown> }[] {
    const args = types.flatMap((type) => ['--type', type]);
    return lines(ben10(this.dir, ['log', '--json', '--limit', '1000', ...args], this.env));
  }

  /** What the clients wrote down. */
  get log(): Told[] {
    if (!existsSync(this.#log)) return [];
    const all = readFileSync(this.#log, 'utf8').split('\n').filter(Boolean);
    return all.map((line) => JSON.parse(line) as Told);
  }

  async until(holds: (log: Told[]) => boolean): Promise<void> {
    while (!holds(this.log)) await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Client's arguments come last. */
function withClient(args: readonly string[]): string[] {
  return args.some((one) => one.startsWith('--client'))
    ? [...args]
    : [args[0]!, '--client', CLIENT, ...args.slice(1)];
}

export const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => {
    if (child.exitCode !== null) resolve(child.exitCode);
    else child.on('exit', resolve);
  });
