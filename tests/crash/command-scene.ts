import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openProject, type Project } from '../../src/project/open.ts';
import { preferences } from '../../src/timetravel/preferences.ts';
import { listSnapshots } from '../../src/timetravel/snapshots/indexed.ts';
import { KeptFolder } from '../kept-folder.ts';
import { realPorts } from '../ports.ts';
import { OLD_EVENTS, RETENTION, recordOldEvents } from './old-events.ts';

const DIST = path.resolve(import.meta.dirname, '../../dist');
const PRELOADED = path.resolve(import.meta.dirname, 'killed-node-fs.cjs');

/** A program of ben10's with its arguments, and what it has on stdin. */
export interface Command {
  program: 'ben10' | 'mcp';
  args: readonly string[];
  input?: Record<string, unknown>;
}

/** Where a process dies: over its nth call that changes something; 0 for nowhere, the calls are counted. */
export interface Place {
  nth: number;
  when: 'before' | 'halfway' | 'after';
}

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** A project with old events, a session, saves, snapshots, preferences and a file that somebody else changed, to be put back as it was. */
export class CommandScene {
  readonly dir: string;
  readonly root: string;
  /** Of two snapshots, the older one. */
  readonly snapshot: string;
  /** Up to here events are old enough to be dropped. */
  readonly old = OLD_EVENTS;
  /** Of what the user asked for. */
  readonly preference: string;
  readonly #installed: string;
  readonly #report: string;
  readonly #env: Record<string, string>;
  readonly #kept: KeptFolder;

  constructor(top: string) {
    this.dir = path.join(top, 'project');
    this.root = path.join(this.dir, '.ben10');
    this.#installed = path.join(top, 'installed');
    this.#report = path.join(top, 'report.json');
    cpSync(DIST, this.#installed, { recursive: true });
    mkdirSync(this.dir);
    const { PATH = '' } = process.env;
    this.#env = { PATH, HOME: top, XDG_CONFIG_HOME: `${top}/none`, CLAUDE_PROJECT_DIR: this.dir };
    this.#live();
    const project = this.open();
    this.snapshot = listSnapshots(project).snapshots.at(-1)!.id;
    this.preference = preferences(project)[0]!.key;
    project.close();
    this.#kept = new KeptFolder(this.root);
  }

  /** By real processes, as all that follows. */
  #live(): void {
    const file_path = path.join(this.dir, 'a.txt');
    const call = {
      tool_name: 'Write',
      tool_use_id: 'w1',
      tool_input: { file_path, content: 'one\n' },
    };
    this.runWell({ program: 'ben10', args: ['init'] });
    recordOldEvents(this.root);
    const commands: Command[] = [
      { program: 'ben10', args: ['config', 'set', 'retention.events', RETENTION] },
      this.hook('SessionStart', { source: 'startup' }),
      this.hook('UserPromptSubmit', { prompt: 'Never touch the lock file.', prompt_id: 'p1' }),
      this.hook('PreToolUse', call),
      this.hook('PostToolUse', { ...call, tool_response: { type: 'create' } }),
      this.hook('Stop'),
      this.hook('PreCompact', { trigger: 'manual' }),
      this.hook('PostCompact', { trigger: 'manual', compact_summary: 'We wrote a.txt.' }),
      this.hook('UserPromptSubmit', { prompt: 'Write another.', prompt_id: 'p2' }),
      { program: 'ben10', args: ['save', 'first'] },
      this.hook('PreCompact', { trigger: 'auto' }),
      {
        program: 'ben10',
        args: ['config', 'set', 'context.compactionSnapshots.retentionCount', '1'],
      },
    ];
    for (const command of commands) this.runWell(command);
    writeFileSync(file_path, 'two\n');
  }

  hook(event: string, more: Record<string, unknown> = {}): Command {
    const input = { session_id: 's', cwd: this.dir, hook_event_name: event, ...more };
    return { program: 'ben10', args: ['hook', event], input };
  }

  putBack(): void {
    this.#kept.putBack();
  }

  open(): Project {
    return openProject(this.dir, { lockBudgetMs: 5000, lock: realPorts.lock! });
  }

  /** @throws when it does not end well */
  runWell({ program, args, input }: Command, env = this.#env): string {
    const { status, stdout, stderr } = spawnSync(process.execPath, [this.#path(program), ...args], {
      cwd: this.dir,
      env,
      encoding: 'utf8',
      input: input === undefined ? '' : JSON.stringify(input),
    });
    if (status === 0) return stdout;
    throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  }

  /** The calls of one that nobody kills. */
  callsOf(command: Command): string[] {
    this.putBack();
    rmSync(this.#report, { force: true });
    this.runWell(command, this.#killing({ nth: 0, when: 'after' }));
    return JSON.parse(readFileSync(this.#report, 'utf8')) as string[];
  }

  /** Runs a command that dies at a place, or so many milliseconds after its start, if it has not ended by then. */
  kill(command: Command, at: Place | number): Promise<Ended> {
    const { program, args, input } = command;
    const isPlace = typeof at !== 'number';
    const child = spawn(process.execPath, [this.#path(program), ...args], {
      cwd: this.dir,
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

  #killing(place: Place): Record<string, string> {
    const plan = { ...place, root: this.root, report: this.#report };
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
