import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { parse } from 'jsonc-parser';
import { beforeEach, describe, expect, it } from 'vitest';
import { applyPlan } from '../../src/setup/apply.ts';
import { planInit } from '../../src/setup/plan.ts';
import { planUninstall } from '../../src/setup/plan-uninstall.ts';
import { errorOf } from '../support.ts';
import { Project } from './project.ts';

let project: Project;
beforeEach(() => {
  project = new Project();
});

function init(how: 'private' | 'shared' | 'local' = 'private'): void {
  const binary =
    how === 'local' ? { node: '/n', script: '/s/ben10.cjs' } : ({ command: 'ben10' } as const);
  const shared = how === 'shared';
  applyPlan(planInit({ projectDir: project.dir, carrier: 'command', shared, binary }));
}
/** Hooks of the team stay beside those of `init --local` only if git has them. */
function initTeam(): void {
  init('shared');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=D', '-c', 'user.email=d@example.com', ...args], {
      cwd: project.dir,
    });
  git('init', '-q');
  git('add', '.claude/settings.json');
  git('commit', '-q', '--allow-empty', '-m', 'x');
}
/** Without what is git's own. */
const files = () =>
  Object.fromEntries(Object.entries(project.files()).filter(([name]) => !name.startsWith('.git/')));
const uninstall = () => applyPlan(planUninstall({ projectDir: project.dir }));

describe('uninstalling', () => {
  it('leaves an empty project as empty as it was', () => {
    init();
    init('shared');
    init();
    init('local');
    project.write('.ben10/hook-config.json', '{}');
    uninstall();
    expect(fs.readdirSync(project.dir)).toEqual([]);
  });

  const ODD: Record<string, string> = {
    'one line': '{"mcpServers":{"db":{"command":"x"}},"model":"opus"}',
    'one line with spaces': '{ "mcpServers": { "db": { "command": "x" } }, "model": "opus" }',
    tabs: '{\n\t"permissions": {\n\t\t"deny": [\n\t\t\t"a"\n\t\t]\n\t}\n}\n',
    'CRLF, no last line break':
      '{\r\n  "model": "opus",\r\n  "mcpServers": {\r\n    "db": { "command": "x" }\r\n  }\r\n}',
    'lists and objects on one line':
      '{\n  "permissions": { "allow": ["a", "b"], "deny": ["c"] },\n  "enabledMcpjsonServers": ["x"],\n  "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}\n}\n',
    comments:
      '// mine\n{\n  "model": "opus", // large\n  /* deny */ "permissions": {\n    "deny": [ // why\n      "a", // last\n    ],\n  },\n  // the end\n}\n',
    'a byte order mark': '\ufeff{\n    "env": {"A": "1"}\n}\n\n\n',
    'brackets of its own style':
      '{ "model": "opus"\n, "permissions":\n    { "deny":\n        [ "a"\n        , "b" ]\n    }\n}',
    'wide and empty': '{\n\n  "env":   {},\n\n\n  "x": [ ]   }  ',
    'no line for the closing bracket':
      '{"permissions": {\n    "deny": ["a",\n      "b"]}, "x": [1,\n2]}\n',
  };

  it.each(Object.entries(ODD))(
    'gives back the bytes of JSON that people laid out: %s',
    (_, text) => {
      for (const file of ['.mcp.json', '.claude/settings.json', '.claude/settings.local.json'])
        project.write(file, text);
      project.write('.claude/commands/x.md', 'x');
      project.write('.gitignore', 'dist\r\n.env');
      const before = project.files();
      init();
      const [local, server] = ['.claude/settings.local.json', '.mcp.json'].map((file) =>
        parse(project.files()[file]!.replace(/^\ufeff/, '')),
      );
      expect(local).toMatchObject({
        permissions: { deny: expect.arrayContaining(['mcp__ben10__ben10_record']) },
        hooks: { SessionEnd: [{}] },
      });
      expect(server).toMatchObject({ mcpServers: { ben10: { command: 'ben10' } } });
      uninstall();
      expect(files()).toEqual(before);
      init('shared');
      init('local');
      expect(project.files()).not.toEqual(before);
      uninstall();
      expect(files()).toEqual(before);
    },
  );

  it.each(['', '\n', ' \r\n', '{\n\n}', '{}', '{"hooks": {}}\n', '{"mcpServers": {}}\n'])(
    'keeps a file that was there with as good as nothing in it: %j',
    (text) => {
      for (const name of ['.claude/settings.local.json', '.mcp.json']) project.write(name, text);
      const before = project.files();
      init();
      uninstall();
      expect(Object.keys(project.files())).toEqual(Object.keys(before));
      // What was empty becomes an empty object at most.
      for (const [name, left] of Object.entries(project.files())) {
        const isSame = text.trim() === '' || text === '{}';
        if (isSame) expect(left).toBe(before[name]);
        else expect(left.trim()).toMatch(/^\{.*\}$/s);
      }
    },
  );

  it("keeps a file that held only the user's own denial", () => {
    const text =
      '{\n  "permissions": {\n    "deny": [\n      "mcp__ben10__ben10_record"\n    ]\n  }\n}\n';
    project.write('.claude/settings.local.json', text);
    init();
    uninstall();
    expect(project.files()).toHaveProperty(['.claude/settings.local.json']);
  });

  it('keeps a server of the same name that is not ours, and says so', () => {
    init();
    const text = '{"mcpServers": {"ben10": {"command": "mine", "args": ["x"], "env": {"A": "1"}}}}';
    project.write('.mcp.json', text);
    const { notes } = planUninstall({ projectDir: project.dir });
    expect(notes.join()).toContain('"ben10" in .mcp.json is not ben10\'s');
    uninstall();
    expect(project.files()).toEqual({ '.mcp.json': text });
    expect(errorOf(() => init())).toMatchObject({ code: 'SETTINGS_INVALID' });
    expect(project.files()).toEqual({ '.mcp.json': text });
  });

  it('of what is local leaves alone what is shared', () => {
    initTeam();
    init();
    const shared = files();
    init('local');
    expect(project.read('.mcp.json')).toContain('/s/ben10.cjs');
    expect(project.files()).toHaveProperty(['.claude/settings.local.json']);
    const plan = planUninstall({ projectDir: project.dir, local: true });
    expect(plan.notes.join()).toContain('.claude/settings.json is shared, and continues to record');
    applyPlan(plan);
    expect(files()).toEqual(shared);
  });

  it('of what is local minds no server that is missing or not ours', () => {
    for (const text of ['', '{"mcpServers": {"ben10": {"command": "mine"}}}']) {
      initTeam();
      project.write('.mcp.json', text);
      applyPlan(planUninstall({ projectDir: project.dir, local: true }));
      expect(project.read('.mcp.json')).toBe(text);
      expect(project.files()).toHaveProperty(['.claude/settings.json']);
      fs.rmSync(project.path('.mcp.json'));
    }
  });

  it('of what is local leaves nothing where nothing is shared', () => {
    init('local');
    applyPlan(planUninstall({ projectDir: project.dir, local: true }));
    expect(fs.readdirSync(project.dir)).toEqual([]);
  });

  it('says of a configuration either that it goes or that it stays', () => {
    init();
    const why = () =>
      planUninstall({ projectDir: project.dir }).edits.find(({ file }) => file.endsWith('.yaml'))!;
    expect(why()).toMatchObject({ action: 'remove', why: 'nothing was changed in it' });
    project.write('.ben10/config.yaml', 'mcp: {profile: all}\n');
    expect(why().action).toBe('keep');
    expect(planUninstall({ projectDir: project.dir }).notes.join()).toContain(
      'You changed .ben10/config.yaml: it stays',
    );
  });

  it('leaves the journal, out of git, and a configuration that was changed', () => {
    init();
    project.write('.ben10/journal/a/1.b10', 'events');
    project.write('.ben10/config.yaml', 'mcp: {profile: all}\n');
    const { notes } = planUninstall({ projectDir: project.dir });
    expect(notes.join()).toContain('The journal stays');
    uninstall();
    expect(project.files()).toEqual({
      '.ben10/.gitignore': '*\n',
      '.ben10/config.yaml': 'mcp: {profile: all}\n',
      '.ben10/journal/a/1.b10': 'events',
    });
  });

  it('finds nothing to do where nothing is installed, and the second time', () => {
    expect(planUninstall({ projectDir: project.dir })).toEqual({
      projectDir: project.dir,
      edits: [],
      notes: [],
    });
    project.write('.gitignore', '.ben10/\n');
    project.write('.claude/settings.json', '{}\n');
    project.write('.mcp.json', '');
    const files = project.files();
    init();
    uninstall();
    uninstall();
    expect(project.files()['.gitignore']).toBe('.ben10/\n');
    const { edits } = planUninstall({ projectDir: project.dir });
    expect(edits.filter(({ action }) => action !== 'keep')).toEqual([]);
    expect(Object.keys(files)).toContain('.claude/settings.json');
  });

  it('does not mind settings of a shape that holds nothing of ours', () => {
    project.write('.claude/settings.json', '{"hooks": []}');
    uninstall();
    expect(project.read('.claude/settings.json')).toBe('{"hooks": []}');
  });
});
