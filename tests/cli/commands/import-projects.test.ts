import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratch } from '../../support.ts';
import { here, json } from '../support.ts';

interface Answer {
  added: number;
  files: { session: string }[];
  others: { folder: string; sessions: number; added: number | null; why: string | null }[];
}

/** Projects below one folder, and the client's folder with a transcript of each session. */
function machine() {
  const home = realpathSync(scratch());
  const client = path.join(home, '.claude/projects/all');
  mkdirSync(client, { recursive: true });
  const project = async (name: string) => {
    const dir = path.join(home, name);
    mkdirSync(dir, { recursive: true });
    expect((await here(dir, ['init'], { HOME: home })).status).toBe(0);
    return dir;
  };
  /** A session that states a rule in each folder that it was in. */
  const session = (id: string, ...cwds: string[]) => {
    const file = path.join(client, `${id}.jsonl`);
    const records = cwds.map((cwd, n) => ({
      type: 'user',
      sessionId: id,
      uuid: `${id}-${n}`,
      cwd,
      timestamp: new Date(Date.UTC(2026, 0, 5, 9, n)).toISOString(),
      message: { content: `Never use ${id} here, part ${n}.` },
    }));
    writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    return file;
  };
  const run = async (dir: string, ...args: string[]) =>
    await here(dir, args, { HOME: home, CLAUDE_CONFIG_DIR: path.join(home, '.claude') });
  const imported = async (dir: string, ...args: string[]) =>
    json<Answer>(await run(dir, 'import', '--json', ...args));
  const ids = ({ files }: Answer) => files.map((one) => one.session).sort();
  return { home, client, project, session, run, imported, ids };
}

describe('ben10 import of what the client keeps', () => {
  it('takes only this project’s sessions, and no rule of another comes in', async () => {
    const { project, session, run } = machine();
    const [own, other] = [await project('own'), await project('other')];
    session('tabs', own);
    session('spaces', other);
    const { stdout } = await run(own, 'import');
    expect(stdout).toContain('from 1 transcript of 1 session');
    expect(stdout).toContain('Left out 1 session of 1 other project:');
    expect(stdout).toContain(`${other} (1 session): into its own journal with: --all-projects`);
    const rules = (await run(own, 'preferences', 'list')).stdout;
    expect(rules).toContain('Never use tabs here');
    expect(rules).not.toContain('spaces');
  });

  it('knows a project by its subfolders, worktrees and links, and a session by where it started', async () => {
    const { home, project, session, imported, ids } = machine();
    const [own, other] = [await project('own'), await project('other')];
    mkdirSync(path.join(own, 'packages/a'), { recursive: true });
    const git = (...args: string[]) => execFileSync('git', args, { cwd: own, stdio: 'ignore' });
    git('init', '-q');
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'a');
    git('worktree', 'add', '-q', path.join(home, 'tree'));
    symlinkSync(own, path.join(home, 'link'));
    session('below', path.join(own, 'packages/a'));
    session('gone', path.join(own, 'packages/removed'));
    session('tree', path.join(home, 'tree'));
    session('link', path.join(home, 'link'));
    session('moved-away', own, other);
    session('moved-here', other, own);
    session('beside', `${own}-2`);
    expect(ids(await imported(own))).toEqual(['below', 'gone', 'link', 'moved-away', 'tree']);
  });

  it('brings sessions of others into their own journals, and says where ben10 is not set up', async () => {
    const { home, project, session, run, imported, ids } = machine();
    const [own, other] = [await project('own'), await project('other')];
    session('tabs', own);
    session('spaces', other);
    session('bare', home);
    const answer = await imported(own, '--all-projects');
    expect(ids(answer)).toEqual(['tabs']);
    const about = Object.fromEntries(answer.others.map((one) => [one.folder, one]));
    expect(about[other]).toMatchObject({ sessions: 1, why: null });
    expect(about[other]!.added).toBeGreaterThan(0);
    expect(about[home]).toMatchObject({ added: null, why: 'ben10 is not set up there' });
    expect((await run(other, 'preferences', 'list')).stdout).toContain('Never use spaces here');
    expect((await run(own, 'preferences', 'list')).stdout).not.toContain('spaces');
  });

  it('refuses a file of another project, unless it is to come here', async () => {
    const { project, session, run, imported, ids } = machine();
    const [own, other] = [await project('own'), await project('other')];
    const file = session('spaces', other);
    const refused = await run(own, 'import', file);
    expect(refused.status).not.toBe(0);
    expect(refused.stderr).toContain(`is a session of another project, ${other}`);
    expect(refused.stderr).toContain(`ben10 import --here ${file}`);
    expect(ids(await imported(own, '--here', file))).toEqual(['spaces']);
  });

  it('goes on with sessions that the journal knows after the project was moved', async () => {
    const { home, project, session, imported, ids } = machine();
    const own = await project('own');
    session('tabs', own);
    expect(ids(await imported(own))).toEqual(['tabs']);
    const moved = path.join(home, 'moved');
    renameSync(own, moved);
    session('tabs', own, own);
    session('unknown', own);
    const answer = await imported(moved);
    expect(ids(answer)).toEqual(['tabs']);
    expect(answer.added).toBeGreaterThan(0);
    expect(answer.others).toMatchObject([{ folder: own, sessions: 1 }]);
  });
});
