import * as fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { applyPlan } from '../../src/setup/apply.ts';
import { planInit } from '../../src/setup/plan.ts';
import { planUninstall } from '../../src/setup/plan-uninstall.ts';
import { Project } from './project.ts';

let project: Project;
beforeEach(() => {
  project = new Project();
});
afterEach(() => project.remove());

function init(local = false): void {
  const binary = local ? { node: '/n', script: '/s/ben10.cjs' } : ({ command: 'ben10' } as const);
  applyPlan(planInit({ projectDir: project.dir, carrier: 'auto', local, binary }));
}
const uninstall = () => applyPlan(planUninstall({ projectDir: project.dir }));

describe('uninstalling', () => {
  it('leaves an empty project as empty as it was', () => {
    init();
    init(true);
    project.write('.ben10/hook-config.json', '{}');
    uninstall();
    expect(fs.readdirSync(project.dir)).toEqual([]);
  });

  it('gives back a project of others byte for byte', () => {
    const files = {
      '.mcp.json': '{"mcpServers":{"db":{"command":"x"}}}',
      '.claude/settings.json':
        '{\n\t"permissions": {\n\t\t"deny": [\n\t\t\t"a" // why\n\t\t]\n\t}\n}\n',
      '.claude/settings.local.json': '{ "model": "opus" }',
      '.claude/commands/x.md': 'x',
      '.gitignore': 'dist\r\n.env',
    };
    for (const [name, text] of Object.entries(files)) project.write(name, text);
    init();
    init(true);
    expect(project.files()).not.toEqual(files);
    uninstall();
    expect(project.files()).toEqual(files);
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
