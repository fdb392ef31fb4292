/**
 * A developer's machine in a scratch folder: a HOME, a small project under git, and a `bin`
 * with the `ben10` under test. Nothing outside is read or written.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { killAll, processesWithHome } from './processes.ts';

const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));

export interface Sandbox {
  /** Holds everything below. */
  root: string;
  home: string;
  /** The project folder: a git repository with one commit. */
  project: string;
  /** First on the PATH of the client and its hooks. */
  binDir: string;
  /** Ends every process that has this HOME, and removes the folder. */
  dispose(): void;
}

/** The project's files: a list of todos, and a check that fails until `due` is written. */
const PROJECT_FILES: Record<string, string> = {
  'CLAUDE.md': '# Todo app\n\nPlain JavaScript, no dependencies.\n',
  'README.md': '# Todo app\n\nA list of things to do.\n',
  'src/todo.js': `export class TodoList {
  items = [];
  add(text) {
    this.items.push({ text, done: false });
  }
}
`,
  'check.sh': `#!/bin/sh
grep -q 'due' src/todo.js || { echo 'FAIL: todo.js knows no due dates'; exit 3; }
echo 'ok: 1 check passed'
`,
};

/** Makes a sandbox. `files` are added to the project (path in the project → text), or replace its own. */
export function createSandbox(files: Record<string, string> = {}): Sandbox {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'ben10-e2e-')));
  const home = join(root, 'home');
  const project = join(root, 'todo-app');
  const binDir = join(root, 'bin');
  for (const folder of [home, project, binDir, join(root, 'tmp')]) mkdirSync(folder);
  writeFiles(project, { ...PROJECT_FILES, ...files });
  commitAll(project);
  answerFirstRunDialogs(home, project);
  writeProgram(
    join(binDir, 'ben10'),
    `exec '${process.execPath}' '${join(REPOSITORY, 'dist', 'ben10.cjs')}' "$@"`,
  );
  const dispose = (): void => {
    killAll(processesWithHome(home));
    // A process that is being ended may still write a file into a folder that is being removed.
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  };
  return { root, home, project, binDir, dispose };
}

/** Writes an executable shell script. */
export function writeProgram(path: string, body: string): void {
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
}

/** The whole environment of the client: variables of another client here must not reach it. */
export function clientEnvironment(sandbox: Sandbox): Record<string, string> {
  return {
    PATH: [sandbox.binDir, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(
      ':',
    ),
    HOME: sandbox.home,
    TMPDIR: join(sandbox.root, 'tmp'),
    CLAUDE_CODE_TMPDIR: join(sandbox.root, 'tmp'),
    TERM: 'xterm-256color',
    IS_SANDBOX: '1',
    ANTHROPIC_API_KEY: 'scripted-model-needs-no-key',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
  };
}

function writeFiles(folder: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

function commitAll(project: string): void {
  const git = (...args: string[]): void => {
    execFileSync('git', args, { cwd: project, stdio: 'pipe', env: { PATH: process.env.PATH } });
  };
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Dev');
  git('config', 'user.email', 'dev@example.com');
  git('add', '.');
  git('commit', '--quiet', '--message=Start the todo app');
}

/** A first run asks about theme, trust and permissions; nobody is there to answer. */
function answerFirstRunDialogs(home: string, project: string): void {
  const answers = {
    hasCompletedOnboarding: true,
    theme: 'dark',
    bypassPermissionsModeAccepted: true,
    projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  };
  writeFileSync(join(home, '.claude.json'), JSON.stringify(answers));
}
