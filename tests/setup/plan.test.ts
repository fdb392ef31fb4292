import * as fs from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/platform/config.ts';
import { applyPlan } from '../../src/setup/apply.ts';
import { HOOKS } from '../../src/setup/hooks-table.ts';
import { type InitOptions, planInit } from '../../src/setup/plan.ts';
import { errorOf } from '../support.ts';
import { Project } from './project.ts';

const LOCAL_BINARY = { node: '/usr/bin/node', script: '/opt/dist/ben10.cjs' };

let project: Project;
beforeEach(() => {
  project = new Project();
});

const plan = (options: Partial<InitOptions> = {}) =>
  planInit({
    projectDir: project.dir,
    carrier: 'auto',
    local: false,
    binary: { command: 'ben10' },
    ...options,
  });
const init = (options: Partial<InitOptions> = {}) => applyPlan(plan(options));
const actions = (options: Partial<InitOptions> = {}) =>
  Object.fromEntries(plan(options).edits.map(({ file, action }) => [file, action]));
const json = (name: string) => JSON.parse(project.read(name));

describe('planning init', () => {
  it('creates everything in an empty project, and writes nothing yet', () => {
    expect(actions()).toEqual({
      '.mcp.json': 'create',
      '.claude/settings.json': 'create',
      '.ben10/config.yaml': 'create',
      '.ben10/.gitignore': 'create',
      '.gitignore': 'create',
    });
    expect(project.files()).toEqual({});
    for (const { before, after, why } of plan().edits) {
      expect(before).toBeUndefined();
      expect(after.endsWith('\n')).toBe(true);
      expect(why).toMatch(/^[a-z]/);
    }
  });

  it('keeps everything the second time', () => {
    init();
    const files = project.files();
    expect(new Set(Object.values(actions()))).toEqual(new Set(['keep']));
    init();
    expect(project.files()).toEqual(files);
  });

  it('takes auto for mcp', () => {
    expect(plan().edits).toEqual(plan({ carrier: 'mcp' }).edits);
    expect(plan().edits).not.toEqual(plan({ carrier: 'command' }).edits);
  });

  it('changes what is there, and shows it before and after', () => {
    project.write('.mcp.json', '{\n  "mcpServers": {}\n}');
    project.write('.gitignore', 'dist\n');
    project.write('.claude/settings.json', ' \n');
    project.write('.ben10/config.yaml', 'mcp: {profile: all}\n');
    expect(actions()).toEqual({
      '.mcp.json': 'change',
      '.claude/settings.json': 'change',
      '.ben10/config.yaml': 'keep',
      '.ben10/.gitignore': 'create',
      '.gitignore': 'change',
    });
    const ignore = plan().edits.find(({ file }) => file === '.gitignore');
    expect(ignore?.before).toBe('dist\n');
    expect(ignore?.after).toMatch(/^dist\n#.*\n\.ben10\/\n$/);
    init();
    expect(project.read('.ben10/config.yaml')).toBe('mcp: {profile: all}\n');
    expect(Object.keys(json('.claude/settings.json').hooks)).toHaveLength(HOOKS.length);
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

  it('says when .gitignore takes .ben10 back in', () => {
    project.write('.gitignore', '!.ben10/\n');
    expect(actions()['.gitignore']).toBe('keep');
    expect(plan().notes).toEqual([
      '.gitignore includes .ben10 with a "!" line, so it was not changed.',
    ]);
  });
});

describe('planning init --local', () => {
  const local = { local: true, binary: LOCAL_BINARY };

  it('writes absolute commands into the local settings', () => {
    init(local);
    expect(project.files()['.claude/settings.json']).toBeUndefined();
    const { hooks, permissions } = json('.claude/settings.local.json');
    expect(hooks.SessionStart[0].hooks[0].command).toBe(
      '/usr/bin/node /opt/dist/ben10.cjs hook session-start',
    );
    expect(permissions.deny).toEqual(['mcp__ben10__ben10_record']);
    expect(json('.mcp.json').mcpServers.ben10).toEqual({
      command: '/usr/bin/node',
      args: ['/opt/dist/ben10.cjs', 'serve'],
    });
    expect(plan(local).notes).toEqual([
      '.mcp.json now contains paths of this machine: do not share it.',
    ]);
  });

  it('leaves shared settings to those who share them, and says that hooks run twice', () => {
    init();
    const shared = project.read('.claude/settings.json');
    expect(plan(local).notes.join()).toContain('they run twice');
    init(local);
    expect(project.read('.claude/settings.json')).toBe(shared);
  });

  it('is undone by init without it: the hooks move', () => {
    project.write('.claude/settings.local.json', '{\n  "model": "opus"\n}\n');
    init(local);
    init();
    expect(project.read('.claude/settings.local.json')).toBe('{\n  "model": "opus"\n}\n');
    expect(json('.mcp.json').mcpServers.ben10.command).toBe('ben10');
    expect(plan().edits.map(({ file }) => file)).not.toContain('.claude/settings.local.json');
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

  it.each(['.mcp.json', '.claude/settings.json', '.claude/settings.local.json'])(
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
    expect(broken('.claude/settings.json', '{"hooks": []}').message).toContain('hooks must be');
    project.write('.claude/settings.json', '{}');
    const config = broken('.ben10/config.yaml', 'bogus: 1\n');
    expect([config.code, config.place.line]).toEqual(['CONFIG_INVALID', 1]);
    fs.rmSync(project.path('.ben10'), { recursive: true });
    expect(broken('.ben10', 'a file').code).toBe('SETTINGS_INVALID');
  });
});
