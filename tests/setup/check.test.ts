import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/platform/finding.ts';
import { applyPlan } from '../../src/setup/apply.ts';
import { checkInstallation, checkPrograms } from '../../src/setup/check.ts';
import { inspectSetup } from '../../src/setup/inspect.ts';
import { planInit } from '../../src/setup/plan.ts';
import { findProgram } from '../../src/setup/programs.ts';
import { scratch } from '../support.ts';

function installed(carrier: 'mcp' | 'command' = 'mcp'): string {
  const projectDir = scratch();
  const binary = { command: 'ben10' as const };
  applyPlan(planInit({ projectDir, carrier, shared: false, binary }));
  return projectDir;
}

const look = (dir: string): Finding[] =>
  checkInstallation(inspectSetup(dir, path.join(dir, 'client')));
const wrong = (dir: string): Finding[] => look(dir).filter(({ verdict }) => verdict !== 'ok');

/** Edits a JSON file of a project. */
function edit(dir: string, file: string, change: (value: Settings) => unknown): void {
  const target = path.join(dir, file);
  const before = JSON.parse(readFileSync(target, 'utf8')) as Settings;
  writeFileSync(target, JSON.stringify(change(before) ?? before));
}

/** As much of the client's settings as is changed here. */
interface Settings {
  hooks: Record<
    string,
    { matcher?: string; hooks: { type?: string; command?: string; timeout?: number }[] }[]
  >;
  disableAllHooks?: boolean;
  disabledMcpjsonServers?: string[];
  permissions?: unknown;
}

const SETTINGS = '.claude/settings.local.json';

describe('the doctor looks at the client’s settings', () => {
  it('finds what init wrote in order', () => {
    expect(wrong(installed())).toEqual([]);
    expect(wrong(installed('command'))).toEqual([]);
    expect(look(installed()).find(({ check }) => check === 'hooks')?.what).toMatch(/^all 11 /);
  });

  it('finds that nothing is installed at all', () => {
    expect(wrong(scratch())).toMatchObject([
      { check: 'hooks', verdict: 'fail', mend: 'Run: ben10 init' },
      { check: 'server', verdict: 'warn' },
    ]);
  });

  it('does not take a server of the same name for its own', () => {
    const dir = installed();
    const text = '{"mcpServers": {"ben10": {"command": "mine", "args": ["x"]}}}';
    writeFileSync(path.join(dir, '.mcp.json'), text);
    expect(wrong(dir)).toMatchObject([
      { check: 'server', verdict: 'fail', what: expect.stringContaining("is not ben10's") },
    ]);
  });

  it('names hooks that are missing, narrowed, there twice, or without a timeout', () => {
    const dir = installed('command');
    edit(dir, SETTINGS, ({ hooks }) => {
      delete hooks.Stop;
      hooks.PreToolUse![0]!.matcher = 'Bash';
      hooks.SessionEnd!.push({
        hooks: [{ type: 'command', command: '/opt/ben10 hook session-end', timeout: 5 }],
      });
      delete hooks.SessionStart![0]!.hooks[0]!.timeout;
    });
    expect(wrong(dir).map(({ check, verdict, what }) => `${check} ${verdict}: ${what}`)).toEqual([
      'hooks fail: missing: Stop',
      'hooks warn: PreToolUse only runs for "Bash"',
      expect.stringContaining('hooks warn: SessionEnd is installed twice, in '),
      'hooks warn: without a timeout: SessionStart',
    ]);
  });

  it('tells a missing server that hooks call from one that only the model would', () => {
    const server = (dir: string) => look(dir).find(({ check }) => check === 'server');
    const calling = installed('mcp');
    edit(calling, '.mcp.json', () => ({ mcpServers: {} }));
    expect(server(calling)).toMatchObject({
      verdict: 'fail',
      what: expect.stringContaining('hooks use it'),
    });
    const other = installed('command');
    edit(other, '.mcp.json', () => ({ mcpServers: {} }));
    expect(server(other)).toMatchObject({ verdict: 'warn' });
  });

  it('finds what switches ben10 off, and a recording tool that the model can see', () => {
    const dir = installed();
    edit(dir, SETTINGS, (settings) => {
      settings.disableAllHooks = true;
      settings.disabledMcpjsonServers = ['ben10'];
      delete settings.permissions;
    });
    expect(wrong(dir).map(({ check, verdict }) => [check, verdict])).toEqual([
      ['settings', 'fail'],
      ['settings', 'warn'],
      ['record tool', 'warn'],
    ]);
  });

  it('says where a file is broken', () => {
    const dir = installed();
    writeFileSync(path.join(dir, SETTINGS), '{\n  "hooks": ,\n}');
    writeFileSync(path.join(dir, '.mcp.json'), '{');
    const found = wrong(dir);
    expect(found.find(({ check }) => check === 'settings')?.what).toMatch(
      /settings\.local\.json:2:\d+: /,
    );
    expect(found.find(({ check }) => check === 'server')).toMatchObject({ verdict: 'fail' });
  });

  it('finds that git would take the journal in', () => {
    const dir = installed();
    execFileSync('git', ['init', '-q'], { cwd: dir });
    expect(wrong(dir)).toEqual([]);
    rmSync(path.join(dir, '.ben10/.gitignore'));
    expect(wrong(dir)).toMatchObject([{ check: 'git', verdict: 'warn' }]);
  });
});

describe('the doctor looks at what the settings start', () => {
  /** A folder for PATH with a ben10 in it. */
  function withProgram(): { bin: string; program: string } {
    const bin = scratch();
    const program = path.join(bin, 'ben10');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    return { bin, program };
  }

  it('finds it on PATH, past folders that do not have it, and by its path', () => {
    const { bin, program } = withProgram();
    const PATH = ['/nowhere', '', scratch(), bin].join(path.delimiter);
    expect(findProgram('ben10', PATH)).toEqual({ name: 'ben10', real: program });
    expect(findProgram('ben10', '/nowhere')).toEqual({ name: 'ben10', real: undefined });
    expect(findProgram(program, '')).toEqual({ name: program, real: program });
    expect(findProgram('/nowhere/ben10.cjs', PATH).real).toBeUndefined();
  });

  it('finds the program behind the script that npm leaves on Windows, and else that script', () => {
    const bin = scratch();
    const script = path.join(bin, 'ben10.cmd');
    const program = path.join(bin, 'node_modules/ben10/dist/ben10.cjs');
    const start = 'endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"';
    writeFileSync(
      script,
      `@ECHO off\r\n${start}  "%dp0%\\node_modules\\ben10\\dist\\ben10.cjs" %*\r\n`,
      { mode: 0o755 },
    );
    expect(findProgram('ben10', bin, 'win32').real).toBe(script);
    mkdirSync(path.dirname(program), { recursive: true });
    writeFileSync(program, '');
    expect(findProgram('ben10', bin, 'win32').real).toBe(program);
    expect(findProgram('ben10', bin, 'linux').real).toBeUndefined();
  });

  it('is content with the one that is asked, and with none', () => {
    const own = '/opt/ben10/dist/ben10.cjs';
    expect(checkPrograms([{ name: 'ben10', real: own }], own)).toMatchObject([{ verdict: 'ok' }]);
    expect(checkPrograms([], own)).toEqual([]);
  });

  it('says what to do when it is not there', () => {
    expect(checkPrograms([{ name: 'ben10', real: undefined }], '/own')).toMatchObject([
      { verdict: 'fail', mend: 'Run: npm install -g ben10' },
    ]);
    expect(checkPrograms([{ name: '/old/ben10.cjs', real: undefined }], '/own')).toMatchObject([
      { verdict: 'fail', what: expect.stringContaining('/old/ben10.cjs, which does not exist') },
    ]);
  });

  it('finds another copy, and several', () => {
    expect(checkPrograms([{ name: 'ben10', real: '/other' }], '/own')).toMatchObject([
      { verdict: 'warn', what: expect.stringContaining('ben10, /other') },
    ]);
    const two = [
      { name: 'ben10', real: '/own' },
      { name: '/b', real: '/b' },
    ];
    expect(checkPrograms(two, '/own').map(({ what }) => what)).toEqual([
      expect.stringContaining('another copy'),
      'several copies write this journal: /own, /b',
    ]);
  });
});
