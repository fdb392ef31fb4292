import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/platform/config.ts';
import { applyPlan } from '../../src/setup/apply.ts';
import { HOOKS } from '../../src/setup/hooks-table.ts';
import { type InitOptions, planInit } from '../../src/setup/plan.ts';
import { planUninstall } from '../../src/setup/plan-uninstall.ts';
import { errorOf } from '../support.ts';
import { Project } from './project.ts';

const LOCAL_BINARY = { node: '/usr/bin/node', script: '/opt/dist/ben10.cjs' };
const SETTINGS = '.claude/settings.json';
const LOCAL_SETTINGS = '.claude/settings.local.json';
/** What `init` put into a project until it used other files. */
const EARLIER = JSON.stringify({
  hooks: { Stop: [{ hooks: [{ type: 'command', command: 'ben10 hook stop', timeout: 5 }] }] },
});

let project: Project;
beforeEach(() => {
  project = new Project();
});

const plan = (options: Partial<InitOptions> = {}) =>
  planInit({
    projectDir: project.dir,
    carrier: 'command',
    shared: false,
    binary: { command: 'ben10' },
    ...options,
  });
const init = (options: Partial<InitOptions> = {}) => applyPlan(plan(options));
const actions = (options: Partial<InitOptions> = {}) =>
  Object.fromEntries(plan(options).edits.map(({ file, action }) => [file, action]));
const json = (name: string) => JSON.parse(project.read(name));

const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=D', '-c', 'user.email=d@example.com', ...args], {
    cwd: project.dir,
    encoding: 'utf8',
  });
/** Makes a repository of the project, with all that is in it. */
function commit(...files: string[]): void {
  git('init', '-q');
  git('add', '--force', ...files);
  git('commit', '-q', '--allow-empty', '-m', 'x');
}

describe('planning init', () => {
  it('creates everything in an empty project, and writes nothing yet', () => {
    expect(actions()).toEqual({
      '.mcp.json': 'create',
      [LOCAL_SETTINGS]: 'create',
      '.ben10/config.yaml': 'create',
      '.ben10/.gitignore': 'create',
    });
    expect(project.files()).toEqual({});
    for (const { before, after, why } of plan().edits) {
      expect(before).toBeUndefined();
      expect(after.endsWith('\n')).toBe(true);
      expect(why).toMatch(/^[a-z\d]/);
    }
  });

  it('keeps everything the second time', () => {
    init();
    const files = project.files();
    expect(new Set(Object.values(actions()))).toEqual(new Set(['keep']));
    init();
    expect(project.files()).toEqual(files);
  });

  it('changes what is there, and shows it before and after', () => {
    project.write('.mcp.json', '{\n  "mcpServers": {}\n}');
    project.write(LOCAL_SETTINGS, ' \n');
    project.write('.ben10/config.yaml', 'mcp: {profile: all}\n');
    expect(actions()).toEqual({
      '.mcp.json': 'change',
      [LOCAL_SETTINGS]: 'change',
      '.ben10/config.yaml': 'keep',
      '.ben10/.gitignore': 'create',
    });
    const mcp = plan().edits.find(({ file }) => file === '.mcp.json');
    expect(mcp?.before).toBe('{\n  "mcpServers": {}\n}');
    expect(mcp?.after).toContain('"serve"');
    init();
    expect(project.read('.ben10/config.yaml')).toBe('mcp: {profile: all}\n');
    expect(Object.keys(json(LOCAL_SETTINGS).hooks)).toHaveLength(HOOKS.length);
  });

  it("answers the client's question for the server, unless the user refused it there", () => {
    init();
    expect(json(LOCAL_SETTINGS).enabledMcpjsonServers).toEqual(['ben10']);
    project.write(LOCAL_SETTINGS, '{"disabledMcpjsonServers": ["ben10"]}');
    expect(plan().notes.join()).toContain("You refused ben10's server here");
    init();
    expect(json(LOCAL_SETTINGS)).not.toHaveProperty('enabledMcpjsonServers');
  });

  it('leaves a configuration behind that can be loaded', () => {
    init();
    expect(
      loadConfig({ projectDir: project.dir, env: {}, home: project.dir }).sources.project,
    ).not.toBeNull();
  });

  it('puts no second configuration beside one in JSON', () => {
    fs.mkdirSync(`${project.dir}/.ben10`);
    fs.writeFileSync(`${project.dir}/.ben10/config.json`, '{"mcp": {"profile": "all"}}');
    expect(actions()).not.toHaveProperty(['.ben10/config.yaml']);
    init();
    expect(loadConfig({ projectDir: project.dir, env: {} }).config.mcp.profile).toEqual(['all']);
  });
});

describe('planning init in a repository', () => {
  it.each([
    ['without settings', {}],
    ['with shared settings', { '.mcp.json': '{"mcpServers": {}}', [SETTINGS]: '{"model": "x"}' }],
    ['with a .gitignore that has them', { '.gitignore': '.claude/\n.mcp.json\n' }],
  ])('leaves git status as it was: %s', (_, files) => {
    for (const [name, text] of Object.entries(files)) project.write(name, text);
    commit(...Object.keys(files));
    for (const binary of [{ command: 'ben10' } as const, LOCAL_BINARY]) {
      init({ binary });
      expect(git('status', '--porcelain')).toBe('');
      expect(plan({ binary }).edits.some(({ isShared }) => isShared)).toBe(false);
      for (const [name, text] of Object.entries(files)) expect(project.read(name)).toBe(text);
    }
    applyPlan(planUninstall({ projectDir: project.dir }));
    expect(git('status', '--porcelain', '--ignored')).toBe('');
    expect(project.read('.git/info/exclude')).not.toContain('ben10');
  });

  it('keeps what ben10 writes for other tools out of git status', () => {
    commit();
    init();
    for (const name of ['checkpoint-state.json', 'ralph-state.json', 'ralph/PROMPT.md'])
      project.write(`.claude/${name}`, '{}');
    expect(git('status', '--porcelain')).toBe('');
    expect(new Set(Object.values(actions()))).toEqual(new Set(['keep']));
  });

  it('does so in a worktree and in a folder with an odd name, too', () => {
    commit();
    for (const name of ['tree', 'tree/a [x]*b']) {
      if (name === 'tree') git('worktree', 'add', '-q', 'tree');
      const dir = project.path(name);
      fs.mkdirSync(dir, { recursive: true });
      init({ projectDir: dir });
      expect(execFileSync('git', ['status', '--porcelain'], { cwd: dir }).toString()).toBe('');
      expect(plan({ projectDir: dir }).edits.every(({ action }) => action === 'keep')).toBe(true);
    }
    applyPlan(planUninstall({ projectDir: project.path('tree') }));
    expect(project.read('.git/info/exclude')).toContain('a \\[x\\]\\*b/.mcp.json');
  });

  it('says how to have the tools where .mcp.json is shared', () => {
    project.write('.mcp.json', '{"mcpServers": {}}');
    commit('.mcp.json');
    expect(plan().notes.join()).toContain('claude mcp add ben10 -- ben10 serve');
    init();
    expect(json(LOCAL_SETTINGS)).not.toHaveProperty('enabledMcpjsonServers');
  });

  it('moves what an earlier version left in settings that are not shared', () => {
    project.write(SETTINGS, EARLIER);
    commit();
    expect(actions()).toMatchObject({ [SETTINGS]: 'change', [LOCAL_SETTINGS]: 'create' });
    init();
    expect(json(SETTINGS)).toEqual({});
  });
});

describe('planning init --shared', () => {
  it('shares hooks that do nothing where ben10 is missing, and nothing else', () => {
    commit();
    init({ shared: true });
    expect(git('status', '--porcelain', '-uall')).toBe(`?? ${SETTINGS}\n`);
    const all = Object.values(json(SETTINGS).hooks).flat() as { hooks: { command: string }[] }[];
    expect(all).toHaveLength(HOOKS.length);
    for (const { hooks } of all)
      for (const { command } of hooks) expect(command).toMatch(/^eval 'command -v ben10 /);
    expect(json(LOCAL_SETTINGS)).toEqual({ enabledMcpjsonServers: ['ben10'] });
    const shared = plan({ shared: true }).edits.filter(({ isShared }) => isShared);
    expect(shared.map(({ file }) => file)).toEqual([SETTINGS]);
  });

  it('is what init does where the team has the hooks already, and brings them up to date', () => {
    project.write(SETTINGS, EARLIER);
    commit(SETTINGS);
    init();
    expect(json(SETTINGS).hooks.Stop[0].hooks[0].command).toMatch(/^eval /);
    expect(json(LOCAL_SETTINGS)).not.toHaveProperty('hooks');
  });

  it('refuses hooks that would fail on the screen of others, and paths of this machine', () => {
    for (const options of [{ carrier: 'mcp' as const }, { binary: LOCAL_BINARY }]) {
      const error = errorOf(() => init({ shared: true, ...options }));
      expect(error.code).toBe('USAGE');
      expect(error.message).toContain(`${SETTINGS} is shared through git`);
    }
    expect(project.files()).toEqual({});
  });
});

describe('planning init --local', () => {
  const local = { binary: LOCAL_BINARY };

  it('writes absolute commands into the local settings', () => {
    init(local);
    expect(project.files()[SETTINGS]).toBeUndefined();
    const { hooks, permissions } = json(LOCAL_SETTINGS);
    expect(hooks.SessionStart[0].hooks[0].command).toContain(
      'exec /usr/bin/node /opt/dist/ben10.cjs hook session-start --local',
    );
    expect(permissions.deny).toEqual(['mcp__ben10__ben10_record']);
    expect(json('.mcp.json').mcpServers.ben10).toEqual({
      command: '/usr/bin/node',
      args: ['/opt/dist/ben10.cjs', 'serve'],
    });
    expect(project.read('.ben10/local')).toBe('/opt/dist/ben10.cjs\n');
  });

  it('writes no absolute path into a file that git has', () => {
    const files = {
      '.mcp.json': '{"mcpServers": {}}',
      [SETTINGS]: EARLIER,
      [LOCAL_SETTINGS]: '{}',
    };
    for (const [name, text] of Object.entries(files)) project.write(name, text);
    commit(...Object.keys(files));
    expect(errorOf(() => init(local))).toMatchObject({
      code: 'USAGE',
      message: `${LOCAL_SETTINGS} is shared through git: paths of this machine do not belong there`,
    });
    git('rm', '-q', '--cached', LOCAL_SETTINGS);
    git('commit', '-q', '-m', 'y');
    init(local);
    expect(git('status', '--porcelain')).toBe('');
    for (const name of ['.mcp.json', SETTINGS]) expect(project.read(name)).not.toContain('/opt');
  });

  it('is undone by init without it', () => {
    project.write(LOCAL_SETTINGS, '{\n  "model": "opus"\n}\n');
    init(local);
    init();
    expect(project.read(LOCAL_SETTINGS)).not.toContain('/opt/dist');
    expect(json('.mcp.json').mcpServers.ben10.command).toBe('ben10');
    expect(project.files()).not.toHaveProperty(['.ben10/local']);
  });
});

describe('planning on files that are not sound', () => {
  const broken = (name: string, text: string) => {
    project.write('.mcp.json', '{"mcpServers": {}}');
    project.write(name, text);
    const before = project.files();
    const error = errorOf(init);
    expect(project.files()).toEqual(before);
    return error;
  };

  it.each(['.mcp.json', SETTINGS, LOCAL_SETTINGS])(
    'writes nothing at all when %s cannot be parsed, and says where it is broken',
    (name) => {
      const error = broken(name, '{\n  "a": 1\n  "b": 2\n}');
      expect(error.code).toBe('SETTINGS_INVALID');
      expect(error.message).toBe(`${name} is not valid JSON: a comma is missing`);
      expect(error.place).toMatchObject({ line: 3, column: 3 });
      expect(error.next).toContain('Nothing was changed');
    },
  );

  it('writes nothing when a shape is wrong, a configuration is, or .ben10 is a file', () => {
    expect(broken(LOCAL_SETTINGS, '{"hooks": []}').message).toContain('hooks must be');
    project.write(LOCAL_SETTINGS, '{}');
    const config = broken('.ben10/config.yaml', 'bogus: 1\n');
    expect([config.code, config.place.line]).toEqual(['CONFIG_INVALID', 1]);
    fs.rmSync(project.path('.ben10'), { recursive: true });
    expect(broken('.ben10', 'a file').code).toBe('SETTINGS_INVALID');
  });
});
