import { execFileSync, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMANDS, VERBS } from '../../../src/cli/commands.ts';
import { SHELLS } from '../../../src/cli/ui/completion.ts';
import { newestNames } from '../../../src/log/names.ts';
import { EVENT_TYPES } from '../../../src/log/typed.ts';
import { prompt } from '../../log/events.ts';
import { openTestProject, scratch } from '../../support.ts';
import { has } from '../../workspace/support.ts';
import {
  cleanEnv,
  emptyProject,
  here,
  json,
  PROGRAM,
  recordedProject,
  SESSION_ID,
} from '../support.ts';

/** What ben10 offers for the last word. */
async function offered(dir: string, ...words: string[]): Promise<string[]> {
  const result = await here(dir, ['completion', 'zsh', '--json', '--', ...words]);
  expect(result).toMatchObject({ status: 0, stderr: '' });
  return json<{ value: string }[]>(result).map(({ value }) => value);
}

/** A recorded session, and two saves. */
async function project(): Promise<string> {
  const dir = recordedProject();
  for (const name of ['first', 'a b $(touch x)'])
    expect((await here(dir, ['save', name])).status).toBe(0);
  return dir;
}

describe('ben10 completion completes', () => {
  it('commands, and their options', async () => {
    const dir = scratch();
    expect(await offered(dir, '')).toEqual(Object.keys(COMMANDS));
    expect((await offered(dir, 're')).sort()).toEqual(['recall', 'repair', 'replay', 'restore']);
    expect((await offered(dir, 'help', 'comp')).sort()).toEqual(['compact', 'completion']);
    expect(await offered(dir, 'log', '--s')).toEqual(['--session', '--since']);
    expect(await offered(dir, 'status', '')).toEqual(['--json', '--help']);
  });

  it('the shells, event types, levels, settings and actions', async () => {
    const dir = scratch();
    expect(await offered(dir, 'completion', '')).toEqual(['bash', 'zsh', 'fish']);
    expect(await offered(dir, 'log', '--type', '')).toEqual(EVENT_TYPES);
    expect(await offered(dir, 'log', '--limit', '3', '--type=tool.f')).toEqual([
      '--type=tool.failed',
    ]);
    expect(await offered(dir, 'context', '--level', '')).toEqual(['minimal', 'normal', 'full']);
    expect(await offered(dir, 'config', 'get', 'context.autoR')).toEqual(['context.autoRestore']);
    expect(await offered(dir, 'snapshot', 'l')).toEqual(['list']);
  });

  it('points, at both ends of a range, with the saves and sessions of the journal', async () => {
    const dir = await project();
    const points = await offered(dir, 'replay', '');
    expect(points).toEqual(
      expect.arrayContaining([
        ...['@head', '@prompt:-1', '@compaction:-1', '@checkpoint:-1'],
        ...['@save:first', `@session:${SESSION_ID}`, `@session:${SESSION_ID}:end`],
      ]),
    );
    expect(await offered(dir, 'log', '@-10..@save:f')).toEqual(['@-10..@save:first']);
    expect(await offered(dir, 'diff', '@save:first', '@he')).toEqual(['@head']);
    expect(await offered(dir, 'context', '--at', '@pro')).toEqual(['@prompt:-1']);
    expect(await offered(dir, 'lost', '--session', 'd3')).toEqual([SESSION_ID]);
    expect(await offered(dir, 'sessions', 'show', '')).toEqual([SESSION_ID]);
  });

  it('points without a project, and nothing where only the user knows', async () => {
    const dir = scratch();
    expect(await offered(dir, 'replay', '@')).toContain('@head');
    expect(await offered(dir, 'work', 'save', 'the limiter')).toEqual([]);
    expect(await offered(dir, 'import', '')).toEqual([]);
    expect(await offered(dir, 'no-such-command', '')).toEqual([]);
  });

  it('verbs of a command, their options, and packs', async () => {
    const dir = emptyProject();
    for (const name of ['auth', 'docs']) await here(dir, ['pack', 'create', name]);
    await here(dir, ['pack', 'delete', 'docs']);
    expect(await offered(dir, 'pack', '')).toEqual(Object.keys(VERBS.pack!));
    expect(await offered(dir, 'pack', 'pre')).toEqual(['preview']);
    expect(await offered(dir, 'pack', '--')).toEqual(['--json', '--help']);
    expect(await offered(dir, 'pack', 'set', '')).toEqual(['auth']);
    expect(await offered(dir, 'pack', 'render', 'auth', '--with-pack', '')).toEqual(['auth']);
    expect(await offered(dir, 'pack', 'set', 'auth', '--fill', '')).toEqual([
      'prefix',
      'fill',
      'fail',
    ]);
    expect(await offered(dir, 'pack', 'render', '--at', '@pro')).toEqual(['@prompt:-1']);
    expect(await offered(dir, 'pack', 'nothing', '')).toEqual([]);
  });

  it('names from outside one a line, without what a terminal obeys', async () => {
    const dir = emptyProject();
    const opened = openTestProject(dir);
    const names = ['a\nb', 'a\u001b[31mc', 'a\td', 'a $(e)'];
    for (const session of names) opened.writer.append([prompt('p', { session })]);
    expect(await offered(dir, 'log', '--session', 'a')).toEqual(['a $(e)']);
  });

  it('and writes nothing', async () => {
    const dir = await project();
    const before = filesBelow(dir);
    expect(await offered(dir, 'restore', '@save:')).toHaveLength(2);
    expect(filesBelow(dir)).toEqual(before);
  });

  it('the newest names of a long journal, without reading it to its start', () => {
    const opened = openTestProject();
    opened.writer.append([prompt('first', { session: 'old' })]);
    opened.writer.append(
      Array.from({ length: 600 }, (_, n) => prompt(`p${n}`, { session: 'new' })),
    );
    const sessions = (isEnough: boolean) =>
      newestNames(opened, () => isEnough).sessions.map(({ name }) => name);
    expect(sessions(true)).toEqual(['new']);
    expect(sessions(false)).toEqual(['new', 'old']);
  });
});

describe.skipIf(process.platform === 'win32')('real shells', () => {
  for (const shell of SHELLS)
    it.skipIf(!has(shell))(`${shell} finds no mistake in its script (skipped without it)`, () => {
      const file = path.join(scratch(), 'script');
      writeFileSync(file, inShell(scratch(), 'ben10', ['completion', shell]));
      const checked = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
      expect(checked).toMatchObject({ status: 0, stderr: '' });
    });

  it('bash completes (skipped without it)', { tags: 'long' }, async ({ skip }) => {
    if (!has('bash')) skip();
    const dir = await project();
    const tab = (line: string) =>
      inShell(dir, 'bash', [path.join(HERE, 'press-tab.bash'), line])
        .split('\n')
        .filter(Boolean);
    expect(tab('ben10 re').sort()).toEqual(['recall', 'repair', 'replay', 'restore']);
    expect(tab('ben10 restore @h')).toEqual(['@head']);
    // Bash puts it behind the colon.
    expect(tab('ben10 restore @save:')).toEqual(['a\\ b\\ \\$\\(touch\\ x\\)', 'first']);
    expect(tab('ben10 log --type=tool.f')).toEqual(['tool.failed']);
    expect(tab('ben10 completion ')).toEqual([...SHELLS]);
    expect(tab('ben10 import ')).toEqual([]);
  });

  it('an interactive bash puts what was chosen in its place (skipped without bash and script)', {
    tags: 'long',
  }, async ({ skip }) => {
    if (!has('bash') || !has('script')) skip();
    const dir = await project();
    const typed = [
      'restore @he',
      'log @-10..@hea',
      `restore @session:${SESSION_ID.slice(0, 3)}`,
      'log --type=tool.fa',
    ];
    const input = [
      'source <(ben10 completion bash)',
      'ben10() { if [ "$1" = completion ]; then command ben10 "$@"; else echo "$*" >>taken; fi; }',
      ...typed.map((line) => `ben10 ${line}\t`),
      'exit\n',
    ].join('\n');
    inShell(dir, 'script', ['-qec', 'bash --norc --noprofile -i', '/dev/null'], input);
    expect(readFileSync(path.join(dir, 'taken'), 'utf8').split('\n').filter(Boolean)).toEqual([
      ...[
        'restore @head',
        'log @-10..@head',
        `restore @session:${SESSION_ID}`,
        'log --type=tool.failed',
      ],
    ]);
  });

  it('zsh completes (skipped without it)', { tags: 'long' }, async ({ skip }) => {
    if (!has('zsh')) skip();
    const dir = await project();
    const tab = (line: string) => {
      const file = path.join(scratch(), 'offered');
      inShell(dir, 'zsh', ['-f', path.join(HERE, 'press-tab.zsh'), line, file]);
      return readFileSync(file, 'utf8').trimEnd().split('\n');
    };
    expect(tab('ben10 completion z')).toEqual(['zsh', 'line: ben10 completion zsh']);
    expect(tab('ben10 restore @save:f')).toEqual([
      '@save:first',
      'line: ben10 restore @save:first',
    ]);
    expect(tab('ben10 restore @save:a')).toEqual([
      '@save:a b $(touch x)',
      'line: ben10 restore @save:a\\ b\\ \\$\\(touch\\ x\\)',
    ]);
    expect(tab('ben10 replay @p')).toEqual(['@prompt:-1', 'line: ben10 replay @prompt:-1']);
    expect(tab('ben10 context --level m')).toEqual([
      'minimal',
      'line: ben10 context --level minimal',
    ]);
    expect(tab('ben10 re').sort()).toEqual([
      'line: ben10 re',
      'recall',
      'repair',
      'replay',
      'restore',
    ]);
  });

  it('fish completes (skipped without it)', { tags: 'long' }, async ({ skip }) => {
    if (!has('fish')) skip();
    const dir = await project();
    const tab = (line: string) =>
      inShell(dir, 'fish', [
        '--no-config',
        '-c',
        'ben10 completion fish | source; complete -C $argv[1]',
        line,
      ])
        .split('\n')
        .filter(Boolean)
        .map((one) => one.split('\t')[0]);
    expect(tab('ben10 completion ').sort()).toEqual([...SHELLS].sort());
    expect(tab('ben10 restore @save:f')).toEqual(['@save:first']);
    expect(tab('ben10 replay @p')).toEqual(['@prompt:-1']);
    expect(tab('ben10 log --ty')).toEqual(['--type']);
    expect(tab('ben10 log --type=tool.f')).toEqual(['--type=tool.failed']);
    writeFileSync(path.join(dir, 'old.jsonl'), '');
    expect(tab('ben10 import ol')).toEqual(['old.jsonl']);
  });
});

const HERE = import.meta.dirname;

/** Runs a program in a folder, with `ben10` on the PATH. */
function inShell(dir: string, program: string, args: string[], input = ''): string {
  const home = scratch();
  mkdirSync(path.join(home, 'bin'));
  symlinkSync(PROGRAM, path.join(home, 'bin/ben10'));
  const env = cleanEnv(home, { TERM: 'xterm', PATH: `${home}/bin:${process.env.PATH}` });
  return execFileSync(program, args, { cwd: dir, env, input, encoding: 'utf8', timeout: 60_000 });
}

const filesBelow = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .map((name) => `${name} ${statSync(path.join(dir, name)).mtimeMs}`)
    .sort();
