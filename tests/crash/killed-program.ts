import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

const DIST = path.resolve(import.meta.dirname, '../../dist');
const PRELOADED = path.resolve(import.meta.dirname, 'killed-node-fs.cjs');

/** A program of ben10's with its arguments, and what it has on stdin. */
export interface Command {
  program: 'ben10' | 'mcp';
  args: readonly string[];
  input?: Record<string, unknown>;
}

/** Where a process dies: over the nth of its calls of a kind that change something. */
export interface Place {
  /** Such as `writeSync journal/manifest.#.tmp`: the call and the path below the root, with `#` for what is another one each time. */
  kind: string;
  nth: number;
  when: 'before' | 'halfway' | 'after';
}

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** The programs as they are built, run in a project, and killed there. */
export class KilledProgram {
  readonly #dir: string;
  readonly #root: string;
  readonly #installed: string;
  readonly #report: string;
  readonly #env: Record<string, string>;

  /** @param top holds what is installed, for all the projects that are in it */
  constructor(top: string, dir: string) {
    this.#dir = dir;
    this.#root = path.join(dir, '.ben10');
    this.#installed = path.join(top, 'installed');
    this.#report = `${dir}.report.json`;
    if (!existsSync(this.#installed)) cpSync(DIST, this.#installed, { recursive: true });
    const { PATH = '' } = process.env;
    this.#env = { PATH, HOME: top, XDG_CONFIG_HOME: `${top}/none`, CLAUDE_PROJECT_DIR: dir };
  }

  /** @throws when it does not end well */
  runWell({ program, args, input }: Command, env = this.#env): string {
    const { status, stdout, stderr } = spawnSync(process.execPath, [this.#path(program), ...args], {
      cwd: this.#dir,
      env,
      encoding: 'utf8',
      input: input === undefined ? '' : JSON.stringify(input),
    });
    if (status === 0) return stdout;
    throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  }

  /** Where one can die, found by one that nobody kills. */
  placesOf(command: Command): Place[] {
    rmSync(this.#report, { force: true });
    this.runWell(command, this.#killing(null));
    return placesIn(JSON.parse(readFileSync(this.#report, 'utf8')) as string[]);
  }

  /** Runs a command that dies at a place, or so many milliseconds after its start, if it has not ended by then. */
  kill(command: Command, at: Place | number): Promise<Ended> {
    const { program, args, input } = command;
    const isPlace = typeof at !== 'number';
    const child = spawn(process.execPath, [this.#path(program), ...args], {
      cwd: this.#dir,
      env: isPlace ? this.#killing(at) : this.#env,
    });
    const said = { stdout: '', stderr: '' };
    child.stdout.on('data', (data) => {
      said.stdout += String(data);
    });
    child.stderr.on('data', (data) => {
      said.stderr += String(data);
    });
    child.stdin.on('error', () => undefined); // it died before it had read everything
    child.stdin.end(input === undefined ? '' : JSON.stringify(input));
    const timer = isPlace ? undefined : setTimeout(() => child.kill('SIGKILL'), at);
    return new Promise((resolve) => {
      child.on('close', (code, signal) => {
        clearTimeout(timer);
        resolve({ code, signal, ...said });
      });
    });
  }

  #killing(place: Place | null): Record<string, string> {
    const plan = { place, root: this.#root, report: this.#report };
    return {
      ...this.#env,
      NODE_OPTIONS: `--require ${PRELOADED}`,
      BEN10_KILL: JSON.stringify(plan),
    };
  }

  #path(program: Command['program']): string {
    return path.join(this.#installed, `${program}.cjs`);
  }
}

/** A file's or a folder's sync: a process that is killed behind it leaves what one leaves that is killed before it. */
const SYNC = /^f(?:data)?sync/;

/** Over the first and the last call of each kind that changes something, half-way through those that write, and before the very first. */
function placesIn(calls: readonly string[]): Place[] {
  const kinds = calls.filter((call) => !SYNC.test(call));
  const times = new Map<string, number>();
  for (const kind of kinds) times.set(kind, (times.get(kind) ?? 0) + 1);
  const [first = ''] = kinds;
  return [
    { kind: first, nth: 1, when: 'before' },
    ...[...times].flatMap(([kind, last]) =>
      [...new Set([1, last])].flatMap((nth): Place[] => [
        ...(kind.startsWith('writeSync') ? [{ kind, nth, when: 'halfway' } as const] : []),
        { kind, nth, when: 'after' },
      ]),
    ),
  ];
}
