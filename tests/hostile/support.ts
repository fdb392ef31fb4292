import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chownSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import { loadConfig } from '../../src/platform/config.ts';
import { compileHookConfig, writeHookConfig } from '../../src/platform/hook-config.ts';
import { PROJECTIONS } from '../../src/timetravel/replay.ts';
import { cleanEnv, inMemory, PROGRAM } from '../cli/support.ts';
import { leakyProject } from '../erasure/support.ts';
import { runHook, toolCall } from '../hook/run-hook.ts';
import { segmentFiles } from '../journal/support.ts';
import { scratch, twinOf } from '../support.ts';

/** Users that are not root. */
export const NOBODY = 65_534;
export const SOMEBODY = 65_533;

/** Runs the program as a user, or as who runs the tests: always so where these are not root. */
export const as = (uid: number | undefined, dir: string, args: string[], input = '') =>
  spawnSync(process.execPath, [PROGRAM, ...args], {
    cwd: dir,
    env: cleanEnv('/nowhere', { CLAUDE_PROJECT_DIR: dir }),
    encoding: 'utf8',
    input,
    ...(uid !== undefined && process.getuid?.() === 0 ? { uid, gid: uid } : {}),
  });

/** Gives a folder away with all that is in it, as only root can. */
export function giveTo(folder: string, uid: number): void {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const name of ['.', ...names]) chownSync(path.join(folder, name), uid, uid);
}

let template: string | undefined;

/**
 * A project with a file of every class in its `.ben10`, and a tail that is not whole, so that something has to be put into
 * quarantine. Made once a test file, then copied.
 */
export function fullProject(): string {
  if (template === undefined) {
    const made = mkdtempSync(path.join(tmpdir(), 'ben10-hostile-'));
    process.on('exit', () => rmSync(made, { recursive: true, force: true }));
    const { root, states } = leakyProject(made);
    states.checkpoint(PROJECTIONS.context!, 's1');
    writeFileSync(path.join(root, 'config.yaml'), 'recall:\n  maxChars: 4000\n', { mode: 0o600 });
    writeFileSync(path.join(root, 'journal/inbox/draining'), '1 none', { mode: 0o600 });
    writeFileSync(path.join(root, 'journal/erased'), 'none', { mode: 0o600 });
    for (const name of ['transcripts.lock', 'transcripts.queue.lock'])
      writeFileSync(path.join(root, 'journal', name), '', { mode: 0o600 });
    writeHookConfig(root, compileHookConfig(loadConfig({ projectDir: made, env: {} })));
    template = made;
  }
  const dir = scratch();
  twinOf(path.join(template, '.ben10'), path.join(dir, '.ben10'));
  const newest = segmentFiles(path.join(dir, '.ben10')).at(-1)!;
  appendFileSync(newest, Buffer.alloc(56, 7));
  return dir;
}

/** The same file in every copy, though its name is another one. */
export const classOf = (name: string) =>
  name.replace(/[0-9a-f]{12,64}/g, '*').replace(/^blobs\/../, 'blobs/*');

/** Every file or folder of a project's `.ben10`, by its path in it. */
export function namesIn(dir: string, isWanted: (file: string) => boolean): string[] {
  const root = path.join(dir, '.ben10');
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).sort();
  return names.filter((name) => isWanted(path.join(root, name)));
}
export const isFile = (file: string) => lstatSync(file).isFile();
export const isFolder = (file: string) => lstatSync(file).isDirectory();

/** One file of every class in a project's `.ben10`. */
export const oneOfEachClass = (dir: string): string[] => [
  ...new Map(namesIn(dir, isFile).map((name) => [classOf(name), name])).values(),
];

/** All that there is to be in place of. Whoever adds a file to `.ben10` adds it here. */
export const CLASSES = [
  'blobs/*/*',
  'checkpoints/context/*/*.ckpt',
  'checkpoints/saves/*-*.ctx',
  'compaction-snapshots/*-*.ctx',
  'config.yaml',
  'current.ctx',
  'current.ctx.meta',
  'hook-config.json',
  'journal/*/*.b10',
  'journal/*/*.b10z',
  'journal/*/*.b10z.*.tmp',
  'journal/*/synced',
  'journal/compact.lock',
  'journal/erased',
  'journal/inbox/*-*.evt',
  'journal/inbox/draining',
  'journal/lock',
  'journal/manifest',
  'journal/quarantine/*.b10.128.0a',
  'journal/transcripts.lock',
  'journal/transcripts.queue.lock',
];

/** Everything in a folder: what it is, its rights, and its bytes. */
export function photograph(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(
    names.map((name) => {
      const file = path.join(folder, name);
      const stat = lstatSync(file);
      const bytes = stat.isFile() ? readFileSync(file, 'latin1') : '';
      return [name, `${stat.mode.toString(8)} ${bytes}`];
    }),
  );
}

export interface Outcome {
  what: string;
  status: number | null;
  stdout: string;
  stderr: string;
}

let calls = 0;

/** A hook's payload with a text that goes beside the journal. */
const largeCall = () => toolCall(`hostile-${calls++}`, `${'large '.repeat(12_000)}${calls}`);

/** Two real hooks: the fast one, and one that injects, reconciles and stores states. */
export async function runHooks(dir: string): Promise<Outcome[]> {
  const start = {
    session_id: 's1',
    hook_event_name: 'SessionStart',
    source: 'compact',
    transcript_path: '/nowhere/s1.jsonl',
    cwd: dir,
  };
  const outcomes: Outcome[] = [];
  for (const [event, input] of [
    ['PreToolUse', largeCall()],
    ['SessionStart', start],
  ] as const) {
    const { code, ...run } = await runHook(dir, event, { ...input });
    outcomes.push({ what: `hook ${event}`, status: code, ...run });
  }
  return outcomes;
}

/** Commands, with `--json`, one after the other. */
export async function runCommands(dir: string, commands: readonly string[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const line of commands) {
    const { code: status, ...said } = await inMemory(dir, [...line.split(' '), '--json']);
    outcomes.push({ what: line, status, ...said });
  }
  return outcomes;
}

/** A hook always ends well and says at most a line; a command does what it is for, or says what to do next. */
export function expectCivil({ what, status, stdout, stderr }: Outcome, about = ''): void {
  const which = `${about}: ${what}\n${stdout.slice(0, 300)}\n${stderr.slice(0, 600)}`;
  expect(stderr, which).not.toMatch(/^\s+at .*:\d+/m);
  if (what.startsWith('hook')) {
    expect(status, which).toBe(0);
    expect(stderr.split('\n').length, which).toBeLessThanOrEqual(2);
    return;
  }
  expect([0, 1], which).toContain(status);
  const lines = stdout.split('\n').filter((line) => line !== '');
  const answers = lines.map((line) => JSON.parse(line) as { error?: Record<string, unknown> });
  const { error } = answers.at(-1) ?? {};
  if (error === undefined) return;
  expect(error, which).toMatchObject({
    code: expect.stringMatching(/^[A-Z_]+$/),
    message: expect.any(String),
    next: expect.any(String),
  });
}
