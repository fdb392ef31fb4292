import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ServerNote } from '../../../src/status/servers.ts';
import type { SessionAccount } from '../../../src/timetravel/session-account.ts';
import { openTestProject } from '../../support.ts';
import { importInto, ran, saw, tell } from '../../tell.ts';
import { emptyProject, inMemory, json, lines, SESSIONS } from '../support.ts';

type Listed = Record<'prompts' | 'calls' | 'commands' | 'files' | 'agents', number> &
  Pick<SessionAccount, 'session' | 'end' | 'tokens' | 'branch' | 'title'>;

const listed = async (dir: string, ...args: string[]) =>
  lines<Listed>(await inMemory(dir, ['sessions', '--json', ...args]));

/** All recorded sessions of the real client, imported. */
function importedSessions(): string {
  const project = openTestProject(emptyProject());
  importInto(project, SESSIONS);
  return project.dir;
}

const start = (session: string, at: number) =>
  saw(
    'session.started',
    { source: 'startup', cwd: '/p', worktree: '/p' },
    { session, at, fact: `start ${session} ${at}` },
  );
const asked = (session: string, text: string, at: number) =>
  saw('prompt.submitted', { text }, { session, at, fact: `prompt ${session} ${at}` });

describe('ben10 sessions', () => {
  it('lists imported sessions, newest first, one line each, with what was done in them', async () => {
    const dir = importedSessions();
    const all = await listed(dir);
    expect(all).toHaveLength(10);
    const worked = all.find(({ session }) => session.startsWith('30b880a7'))!;
    expect(Object.keys(worked).join()).toBe(
      'session,client,title,branch,firstAt,lastAt,end,starts,prompts,calls,commands,files,agents,compactions,tokens',
    );
    expect(worked).toMatchObject({
      title: expect.stringMatching(/^Add due dates/),
      branch: 'main',
      prompts: 3,
      commands: 2,
      files: 2,
      end: { how: 'unknown', reason: null },
    });
    const { stdout, stderr } = await inMemory(dir, ['sessions', '--limit', '4']);
    expect(stdout.split('\n')[0]).toMatch(/^session +active +long +files +commands +tokens/);
    expect(stdout.trimEnd().split('\n')).toHaveLength(5);
    expect(stderr).toBe('6 earlier; to see all: --limit 0\n');
  });

  it('counts sub-agents and their work in the session that started them, and does not list them', async () => {
    const all = await listed(importedSessions());
    const withAgents = all.filter(({ agents }) => agents > 0);
    expect(withAgents.map(({ session, agents }) => [session.slice(0, 8), agents])).toEqual([
      ['3a8c5c82', agentFiles('sub-agents').length],
    ]);
  });

  it('counts the tokens of each message once, as a look at the transcripts with other means does', async () => {
    const dir = importedSessions();
    for (const { session, tokens } of await listed(dir)) {
      const { input, output, cacheWrite, cacheRead } = tokens;
      expect({ session, sum: [input, output, cacheWrite, cacheRead] }).toEqual({
        session,
        sum: sumByHand(session),
      });
    }
  });

  it('says how a session ended: by its reason, not at all, or that it still runs', async () => {
    const project = openTestProject(emptyProject());
    tell(
      project,
      ...[start('ended', 1000), asked('ended', 'One', 1001)],
      saw('session.ended', { reason: 'logout' }, { session: 'ended', at: 1002 }),
      ...[start('killed', 2000), asked('killed', 'Two', 2001)],
      ...[start('open', 3000), asked('open', 'Three', 3001)],
    );
    const ends = async () => (await listed(project.dir)).map(({ session, end }) => [session, end]);
    const cut = { how: 'cut off', reason: null };
    const ended = ['ended', { how: 'ended', reason: 'logout' }];
    expect(await ends()).toEqual([['open', cut], ['killed', cut], ended]);
    // One client runs: it is in the session that was active last.
    new ServerNote(process.pid).keep(project);
    expect(await ends()).toEqual([
      ['open', { how: 'running', reason: null }],
      ['killed', cut],
      ended,
    ]);
    const { stdout } = await inMemory(project.dir, ['sessions', 'show', 'op']);
    expect(stdout).toContain('End      still running');
  });

  it('takes a session that was active a moment ago as running, also without a server', async () => {
    const project = openTestProject(emptyProject());
    const at = Date.now() - 1000;
    tell(project, start('new', at), asked('new', 'One', at));
    const [one] = await listed(project.dir);
    expect(one!.end).toEqual({ how: 'running', reason: null });
  });

  it('knows a resumed session as one that was started twice and goes on', async () => {
    const project = openTestProject(emptyProject());
    tell(
      project,
      ...[start('s', 1000), asked('s', 'One', 1001)],
      saw('session.ended', { reason: 'exit' }, { session: 's', at: 1002, fact: 'end' }),
      ...[start('s', 9000), asked('s', 'Two', 9001)],
    );
    const [one, ...others] = await listed(project.dir);
    expect(others).toEqual([]);
    expect(one).toMatchObject({ starts: 2, prompts: 2, end: { how: 'cut off' } });
  });

  it('shows one by the start of its id: prompts, files, commands with outcomes, compactions, tokens by model', async () => {
    const { stdout } = await inMemory(importedSessions(), ['sessions', 'show', '30b880a7']);
    for (const line of [
      /^Branch +main$/m,
      /^Prompts \(3\)$/m,
      /^ {2}1 change .*docs\/dates\.md$/m,
      /sh check\.sh → failed, exit 3: FAIL: todo\.js knows no due dates$/m,
      /^Compactions \(1\)\n.*from 29\.1k to 2\.9k tokens$/m,
      /^ {2}claude-haiku-4-5: 148\.5k in, 400 out/m,
    ])
      expect(stdout).toMatch(line);
  });

  it('does not count a change that failed, and lists only as many as asked', async () => {
    const project = openTestProject(emptyProject());
    const edit = (id: string, file: string, end: Parameters<typeof ran>[3]) =>
      ran(id, 'Edit', { file_path: file }, end);
    const shell = (id: string, command: string) => ran(id, 'Bash', { command }, { response: '' });
    tell(
      project,
      ...[start('s', 1), asked('s', 'Go', 2)],
      ...edit('1', '/p/a', { response: {} }),
      ...edit('2', '/p/b', { error: 'no match' }),
      ...[...shell('3', 'first'), ...shell('4', 'second')],
    );
    const args = ['sessions', 'show', 's'];
    const whole = json<SessionAccount>(await inMemory(project.dir, [...args, '--json']));
    expect(whole.files).toEqual([{ path: '/p/a', changes: 1 }]);
    const { stdout } = await inMemory(project.dir, [...args, '--limit', '1']);
    expect(stdout).toMatch(/Commands \(2\)\n {2}… 1 earlier; to see all: --limit 0\n.* second →/);
  });

  it('keeps to the terminal, and refuses what it does not know', async () => {
    const dir = importedSessions();
    for (const columns of [50, 72, 100]) {
      const { stdout } = await inMemory(dir, ['sessions'], { env: { COLUMNS: `${columns}` } });
      expect(stdout.split('\n').filter((line) => line.length > columns)).toEqual([]);
    }
    expect((await inMemory(dir, ['sessions', 'list'])).code).toBe(2);
    const none = await inMemory(dir, ['sessions', 'show', 'nope']);
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('no session "nope"') });
  });
});

const agentFiles = (name: string): string[] =>
  filesIn(path.join(SESSIONS, name)).filter((file) => /agent-[^/]*\.jsonl$/.test(file));

/** Tokens of a session's transcripts: of each message its last line, without those of another session. */
function sumByHand(session: string): number[] {
  const last = new Map<string, number[]>();
  const files = filesIn(SESSIONS).filter((file) => /projects\/.*\.jsonl$/.test(file));
  for (const file of files)
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      if (!line.includes('"usage"')) continue;
      const { sessionId, requestSessionId = sessionId, message } = JSON.parse(line);
      if (sessionId !== session || requestSessionId !== session || !message?.usage) continue;
      const { usage } = message;
      last.set(message.id, [
        usage.input_tokens,
        usage.output_tokens,
        usage.cache_creation_input_tokens,
        usage.cache_read_input_tokens,
      ]);
    }
  return [...last.values()].reduce((sum, row) => sum.map((n, i) => n + row[i]!), [0, 0, 0, 0]);
}

const filesIn = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' }).map((name) => path.join(dir, name));
