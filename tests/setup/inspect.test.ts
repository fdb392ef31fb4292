import * as fs from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { applyPlan } from '../../src/setup/apply.ts';
import type { Binary } from '../../src/setup/hook-entry.ts';
import { HOOKS } from '../../src/setup/hooks-table.ts';
import { inspectSetup } from '../../src/setup/inspect.ts';
import { planInit } from '../../src/setup/plan.ts';
import { errorOf } from '../support.ts';
import { Project } from './project.ts';

let project: Project;
let client: Project;
beforeEach(() => {
  project = new Project();
  client = new Project();
});

const init = (shared = false, binary: Binary = { command: 'ben10' }) =>
  applyPlan(planInit({ projectDir: project.dir, carrier: 'command', shared, binary }));
const inspect = () => inspectSetup(project.dir, client.dir);
const states = () => [...new Set(inspect().events.map(({ state }) => state))];
const hook = (command: string, matcher?: string) => ({
  ...(matcher === undefined ? {} : { matcher }),
  hooks: [{ type: 'command', command }],
});

describe('inspecting a setup', () => {
  it('finds nothing in an empty project, or without a client', () => {
    fs.rmSync(client.dir, { recursive: true });
    const report = inspect();
    expect(states()).toEqual(['missing']);
    expect(report.events.map(({ event }) => event)).toEqual(HOOKS.map(({ event }) => event));
    expect(report.server.state).toBe('missing');
    expect(report.settings.map(({ state }) => state)).toEqual(['missing', 'missing', 'missing']);
    expect([report.isInGit, report.recordToolHidden, report.programs]).toEqual([false, false, []]);
    expect(errorOf(() => inspectSetup(project.path('none'), client.dir)).code).toBe('FS_NOT_FOUND');
  });

  it('names every copy that is started from here, and what runs twice', () => {
    init();
    const elsewhere = { hooks: { Stop: [hook('/x/ben10 hook stop')] } };
    client.write('settings.json', JSON.stringify(elsewhere));
    const report = inspect();
    expect(report.programs).toEqual(['ben10', '/x/ben10']);
    const stateOf = (event: string) => inspect().events.find((one) => one.event === event)?.state;
    expect(stateOf('Stop')).toBe('twice');
    expect(stateOf('SessionEnd')).toBe('present');
  });

  it('counts equal hooks of two files once, as the client does, and none beside those of init --local', () => {
    init();
    client.write('settings.json', project.read('.claude/settings.local.json'));
    expect(states()).toEqual(['present']);
    init(false, { node: '/n', script: '/opt/ben10.cjs' });
    expect(states()).toEqual(['present']);
    expect(inspect().programs).toEqual(['ben10', '/opt/ben10.cjs']);
  });

  it("sees the user's own settings, also through a link", () => {
    client.write('dotfile', JSON.stringify({ hooks: { Stop: [hook('/x/ben10 hook stop')] } }));
    fs.symlinkSync(client.path('dotfile'), project.path('link'));
    fs.symlinkSync(project.path('link'), client.path('settings.json'));
    const stop = inspect().events.find(({ event }) => event === 'Stop');
    expect(stop).toMatchObject({
      state: 'present',
      entries: [{ scope: 'user', file: client.path('settings.json'), program: '/x/ben10' }],
    });
    expect(stop?.entries[0]?.timeout).toBeUndefined();
  });

  it('reports broken files with their place, and goes on', () => {
    init(true);
    project.write('.mcp.json', '{"mcpServers": [}');
    project.write('.claude/settings.local.json', '{');
    fs.mkdirSync(client.path('settings.json'));
    const report = inspect();
    expect(report.server.state).toBe('broken');
    expect(report.server.problem?.place).toEqual({
      file: project.path('.mcp.json'),
      line: 1,
      column: 17,
    });
    expect(report.settings.map(({ state }) => state)).toEqual(['broken', 'sound', 'broken']);
    expect(states()).toEqual(['present']);
  });

  it('takes settings of any shape', () => {
    for (const text of ['[]', '{"hooks": []}', '{"hooks": {"Stop": {}}}', '{"permissions": 1}']) {
      project.write('.claude/settings.json', text);
      expect(states()).toEqual(['missing']);
    }
    project.write('.mcp.json', '{"mcpServers": {"ben10": {"command": 5}}}');
    expect(inspect().server).toEqual({ file: project.path('.mcp.json'), state: 'foreign' });
  });
});
