import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { applyPlan } from '../../src/setup/apply.ts';
import { type InitOptions, planInit } from '../../src/setup/plan.ts';
import { planUninstall } from '../../src/setup/plan-uninstall.ts';
import { Project } from './project.ts';

const LOCAL_SETTINGS = '.claude/settings.local.json';
const THEIRS = 'npx -y ccstatusline@latest --title "it\'s mine"';
const OURS = { type: 'command', command: 'ben10 statusline', refreshInterval: 10 };

let project: Project;
let home: Project;
beforeEach(() => {
  project = new Project();
  home = new Project();
});

const plan = (options: Partial<InitOptions> = {}) =>
  planInit({
    ...{ projectDir: project.dir, clientDir: home.dir, binary: { command: 'ben10' } },
    ...{ carrier: 'command', shared: false, statusLine: 'add', commands: true },
    ...options,
  } as InitOptions);
const init = (options: Partial<InitOptions> = {}) => applyPlan(plan(options));
const uninstall = () => applyPlan(planUninstall({ projectDir: project.dir, clientDir: home.dir }));
const line = () => JSON.parse(project.read(LOCAL_SETTINGS)).statusLine;
const settings = (command: string) =>
  `{"statusLine": {"type": "command", "command": ${JSON.stringify(command)}, "padding": 1}}`;

describe('the status line that init adds', () => {
  it('is in one’s own settings, once, and goes with an uninstall', () => {
    init();
    init();
    expect(line()).toEqual(OURS);
    expect(plan().edits.every(({ action }) => action === 'keep')).toBe(true);
    uninstall();
    expect(fs.readdirSync(project.dir)).toEqual([]);
  });

  it('is added for oneself where the team shares the hooks, and not where others get one’s settings', () => {
    init({ shared: true });
    expect(line()).toEqual(OURS);
    expect(project.read('.claude/settings.json')).not.toContain('statusline');
    const git = (...args: string[]) => execFileSync('git', args, { cwd: project.dir });
    project.write(LOCAL_SETTINGS, '{}');
    git('init', '-q');
    git('add', '-f', LOCAL_SETTINGS);
    init();
    expect(line()).toBeUndefined();
  });

  it('is not added if it is not wanted', () => {
    const { statusLine: _, ...rest } = {
      projectDir: project.dir,
      carrier: 'command',
      shared: false,
    } as InitOptions;
    applyPlan(planInit({ ...rest, binary: { command: 'ben10' } }));
    expect(line()).toBeUndefined();
    expect(fs.existsSync(project.path('.claude/commands'))).toBe(false);
  });

  it.each([
    ['in the same file', () => project.write(LOCAL_SETTINGS, settings(THEIRS))],
    ['in the team’s settings', () => project.write('.claude/settings.json', settings(THEIRS))],
    ['in the user’s settings', () => home.write('settings.json', settings(THEIRS))],
  ])('leaves another’s alone, or shows both if it is told to wrap it: %s', (_, write) => {
    write();
    const before = project.files();
    init();
    expect(plan().notes.join()).toContain('You have a status line: it stays');
    expect(line()?.command ?? THEIRS).toBe(THEIRS);
    init({ statusLine: 'wrap' });
    init({ statusLine: 'wrap' });
    init();
    expect(line().command).toBe(
      `ben10 statusline --with 'npx -y ccstatusline@latest --title "it'\\''s mine"'`,
    );
    uninstall();
    const words = (files: Record<string, string>) =>
      Object.entries(files).map(([name, text]) => [name, text.replace(/\s+/g, '')]);
    expect(words(project.files())).toEqual(words(before));
  });

  it('keeps its options when init runs again, also from another copy', () => {
    project.write(LOCAL_SETTINGS, settings('ben10 statusline --style plain'));
    init({ binary: { node: '/n', script: '/s/ben10.cjs' } });
    expect(line()).toEqual({
      ...{ type: 'command', padding: 1 },
      command: '/n /s/ben10.cjs statusline --style plain',
    });
  });

  it('does not fail for user settings that are broken', () => {
    home.write('settings.json', '{"statusLine"');
    init();
    expect(line()).toEqual(OURS);
  });
});

describe('the slash commands that init adds', () => {
  const names = () => fs.readdirSync(project.path('.claude/commands')).sort();

  it('may only run ben10, and are not in git’s way', () => {
    execFileSync('git', ['init', '-q'], { cwd: project.dir });
    init();
    expect(names()).toEqual([
      ...['checkpoint.md', 'handoff.md', 'orient.md', 'ralph.md', 'shard.md'],
    ]);
    for (const name of names())
      expect(project.read(`.claude/commands/${name}`)).toMatch(
        /^---\ndescription: .+\nargument-hint: ".+"\nallowed-tools: Bash\(ben10:\*\)\n---\n\n/,
      );
    const status = execFileSync('git', ['status', '--porcelain'], { cwd: project.dir });
    expect(status.toString()).toBe('');
    uninstall();
    expect(project.read('.git/info/exclude')).not.toContain('commands');
  });

  it('start no loop inside of a session', () => {
    init();
    const text = project.read('.claude/commands/ralph.md');
    expect(text).toContain('`stop`: run `ben10 loop $ARGUMENTS`');
    expect(text).toContain('For `start` and `resume`: run nothing.');
    // What the client itself would run.
    expect(text).not.toContain('!`');
  });

  it('leave a name that is taken, here or by the user, and say what they are called', () => {
    project.write('.claude/commands/handoff.md', 'mine');
    home.write('commands/orient.md', 'mine, everywhere');
    const { notes } = plan();
    expect(notes).toEqual([
      "There is a command /handoff already: ben10's is /ben10-handoff.",
      "There is a command /orient already: ben10's is /ben10-orient.",
    ]);
    init();
    init();
    expect(names()).toEqual([
      ...[
        'ben10-handoff.md',
        'ben10-orient.md',
        'checkpoint.md',
        'handoff.md',
        'ralph.md',
        'shard.md',
      ],
    ]);
    project.write('.claude/commands/shard.md', 'changed by hand');
    uninstall();
    expect(names()).toEqual(['handoff.md', 'shard.md']);
    expect(project.read('.claude/commands/handoff.md')).toBe('mine');
  });
});
