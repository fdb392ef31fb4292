/** @module-tag long */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { clientAvailable, clientIsHere } from './driver/client-install.ts';
import { runClient } from './driver/run-client.ts';
import { ASKING, startTerminal } from './driver/run-terminal.ts';
import { clientEnvironment, createSandbox, type Sandbox, writeProgram } from './driver/sandbox.ts';
import { check, read } from './driver/sessions/calls.ts';
import { ben10, installed, logOf, ofType, outcomesInLog, repeated } from './support/recorded.ts';

/** What the client shows when a hook or a server is not there. */
const COMPLAINTS = /hook *(?:failed|error|problem)|not *found|not *connected|Exit *127/i;

const scenario = {
  steps: [
    { text: 'I look.', tools: [read('src/todo.js')] },
    { text: 'I run the check.', tools: [check] },
    { text: 'Finished.' },
  ],
};

/** One turn in a terminal; returns all that was on the screen. */
async function turn(sandbox: Sandbox, permissions?: string): Promise<string> {
  const terminal = await startTerminal(sandbox, scenario, { permissions });
  await terminal.enter('Please look.');
  await terminal.until('the answer', () => terminal.screen().includes('Finished.'));
  await terminal.enter('/exit');
  await terminal.done;
  return terminal.screen();
}

function project(...init: string[]): Sandbox {
  const sandbox = createSandbox();
  onTestFinished(() => sandbox.dispose());
  ben10(sandbox, 'init', ...init);
  return sandbox;
}

describe.runIf(clientIsHere())('ben10 installed for a client in a terminal', () => {
  it('is not noticed by a teammate who has no ben10, with the hooks of the team', async () => {
    const sandbox = project('--shared');
    // What the teammate gets is what git has.
    rmSync(`${sandbox.binDir}/ben10`);
    for (const own of ['.mcp.json', '.claude/settings.local.json', '.ben10'])
      rmSync(`${sandbox.project}/${own}`, { recursive: true });
    const screen = await turn(sandbox, ASKING);
    expect(screen).not.toMatch(COMPLAINTS);
    expect(screen).not.toContain('ben10:');
    expect(existsSync(`${sandbox.project}/.ben10`)).toBe(false);
  });

  it('is asked for nothing after init, and its server runs', async () => {
    const sandbox = project();
    const terminal = await startTerminal(
      sandbox,
      { steps: [{ text: 'Finished.' }] },
      { permissions: ASKING },
    );
    await terminal.enter('Hello.');
    await terminal.until('the answer', () => terminal.screen().includes('Finished.'));
    expect(terminal.screen()).not.toContain('Entertoconfirm');
    const isRunning = () => / MCP server +running$/m.test(ben10(sandbox, 'status'));
    await terminal.until('the server', isRunning);
    await terminal.enter('/exit');
    await terminal.done;
  });

  it('records every call, on a clean screen, where its server was refused', async () => {
    const sandbox = project();
    const settings = `${sandbox.project}/.claude/settings.local.json`;
    const { enabledMcpjsonServers: _, ...rest } = JSON.parse(readFileSync(settings, 'utf8'));
    writeFileSync(settings, JSON.stringify(rest));
    const screen = await turn(sandbox, ASKING);
    expect(screen).toContain('NewMCPserverfoundinthisproject:ben10');
    expect(screen).not.toMatch(COMPLAINTS);
    expect(outcomesInLog(logOf(sandbox)).map((line) => line.split(' ').slice(1).join(' '))).toEqual(
      expect.arrayContaining(['Read ok', 'Bash failed']),
    );
    expect(ben10(sandbox, 'status').replaceAll(/\s+/g, ' ')).toContain('MCP server not running');
    expect(ben10(sandbox, 'init')).toContain("You refused ben10's server here");
  });
});

describe.runIf(clientIsHere())('hooks of the user and of the project', () => {
  const client = () => {
    const found = clientAvailable();
    if (!found.ok) throw new Error(found.why);
    return found.binary;
  };

  it('record once and give back once: equal ones run once, and those of init --local alone', async () => {
    for (const how of [[], ['--local']]) {
      const sandbox = project(...how);
      writeProgram(`${sandbox.binDir}/claude`, `exec '${client()}' "$@"`);
      expect(ben10(sandbox, 'init', '--user')).not.toContain('Note:');
      await runClient(sandbox, { prompt: 'Never use a library for dates.', scenario });
      await runClient(sandbox, { prompt: 'Go on.', scenario });
      const log = logOf(sandbox);
      expect(repeated(log)).toEqual([]);
      expect(ofType(log, 'session.started')).toHaveLength(2);
      expect(ofType(log, 'prompt.submitted')).toHaveLength(2);
      expect(ofType(log, 'tool.called')).toHaveLength(4);
      expect(ofType(log, 'recall.injected')).toHaveLength(1);
    }
  });

  it('give each project a journal of its own, and the home folder none', async () => {
    const sandbox = installed();
    ben10(sandbox, 'init', '--uninstall');
    writeProgram(`${sandbox.binDir}/claude`, `exec '${client()}' "$@"`);
    ben10(sandbox, 'init', '--user');
    await runClient(sandbox, { prompt: 'Please look.', scenario });
    expect(ofType(logOf(sandbox), 'tool.called')).toHaveLength(2);
    const git = ['status', '--porcelain'];
    expect(execFileSync('git', git, { cwd: sandbox.project }).toString()).toBe('');
    await runClient({ ...sandbox, project: sandbox.home }, { prompt: 'Please look.', scenario });
    expect(existsSync(`${sandbox.home}/.ben10`)).toBe(false);
    const servers = execFileSync(client(), ['mcp', 'list'], {
      cwd: sandbox.home,
      env: clientEnvironment(sandbox),
      encoding: 'utf8',
    });
    expect(servers).toContain('ben10: ben10 serve');
    ben10(sandbox, 'init', '--user', '--uninstall');
    expect(readFileSync(`${sandbox.home}/.claude.json`, 'utf8')).not.toContain('"ben10"');
  });
});
