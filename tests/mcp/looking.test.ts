/** @module-tag long */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createContext } from '../../src/mcp/create-context.ts';
import { runJobHere, startJobs } from '../../src/mcp/jobs.ts';
import { loadSettings } from '../../src/mcp/settings.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { loadXxh64 } from '../../src/platform/xxh64-wasm.ts';
import { lookJob } from '../../src/workspace/job.ts';
import { scratch } from '../support.ts';
import { imported, testProject, transcript } from '../timetravel/project.ts';
import { git, repository } from '../workspace/support.ts';
import { call, connect, eventsOf } from './support.ts';

const TIMES = { afterMs: 60, everyMs: 400, giveUpMs: 60_000 };
const WAIT = { timeout: 15_000, interval: 50 };

/** A repository with a session in its journal, or without. */
function project(recorded = true): string {
  const files = { 'a.txt': 'a', '.gitignore': '.ben10\n' };
  const dir = repository(path.join(scratch(), 'project'), files);
  const session = transcript('claude-2.1.329-real-todo-app/transcript.jsonl');
  if (recorded) imported(testProject({ dir }), session).close();
  return dir;
}

/** A server's parts beside a project. */
async function server(times = TIMES, more: { recorded?: boolean; watch?: boolean } = {}) {
  const dir = project(more.recorded);
  const said: string[] = [];
  const log = createLogger('debug', (line) => said.push(line));
  const settings = await loadSettings(dir, log);
  settings.config.workspace.watch = more.watch ?? true;
  const hash = await loadXxh64();
  const context = createContext({ dir, settings, log, hash, touched() {} });
  const ask = (name: string) => runJobHere(name, context);
  const looking = startJobs(context, { program: '', ask }, [{ ...lookJob, ...times }]);
  onTestFinished(() => {
    looking.stop();
    context.project.close();
  });
  const looks = () => said.filter((line) => line.includes('job look-around ended')).length;
  return { looking, looks };
}

/** Of this machine's programs git alone: one that was too slow for the first look would be news of the second. */
function withGitAlone(): Record<string, string> {
  if (process.platform === 'win32') return {};
  const bin = path.join(scratch(), 'bin');
  mkdirSync(bin);
  const found = execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  symlinkSync(found, path.join(bin, 'git'));
  return { PATH: bin };
}

const kindsOf = (events: { data: unknown }[]) =>
  events.map(({ data }) => (data as { kinds: string[] }).kinds);

describe('what a server does about the environment while nobody asks anything', () => {
  it('is to look at it, and to record what is another than before', async () => {
    const dir = project();
    const real = await connect(dir, withGitAlone());
    const seen = () => eventsOf(dir).filter(({ type }) => type === 'environment.observed');
    await vi.waitFor(() => expect(seen()).toHaveLength(1), WAIT);
    expect(kindsOf(seen())[0]).toContain('repository');
    git(dir, 'checkout', '-q', '-b', 'other');
    await call(real, 'ben10_status');
    await vi.waitFor(() => expect(kindsOf(seen())[1]).toEqual(['repository']), WAIT);
  }, 40_000);

  it('goes on now and again', async () => {
    const { looks } = await server();
    await vi.waitFor(() => expect(looks()).toBeGreaterThan(2), WAIT);
  });

  it('waits while somebody asks', async () => {
    const { looking, looks } = await server({ ...TIMES, afterMs: 500 });
    const asking = setInterval(() => looking.busy(), 50);
    onTestFinished(() => clearInterval(asking));
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(looks()).toBe(0);
    clearInterval(asking);
    await vi.waitFor(() => expect(looks()).toBe(1), WAIT);
  });

  it('ends when nobody comes back for long, and begins again when somebody does', async () => {
    const { looking, looks } = await server({ afterMs: 60, everyMs: 100, giveUpMs: 1500 });
    await vi.waitFor(() => expect(looks()).toBeGreaterThan(0), WAIT);
    await new Promise((resolve) => setTimeout(resolve, 3500));
    const before = looks();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(looks()).toBe(before);
    looking.busy();
    await vi.waitFor(() => expect(looks()).toBeGreaterThan(before), WAIT);
  });

  it('is nothing where the user does not want it, or nothing was ever recorded', async () => {
    const off = await server(TIMES, { watch: false });
    const empty = await server(TIMES, { recorded: false });
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect([off.looks(), empty.looks()]).toEqual([0, 0]);
  });
});
