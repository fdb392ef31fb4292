import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { SessionPlan } from '../../../src/monitor/session-plan.ts';
import { itemsOf } from '../../../src/monitor/size.ts';
import { openTestProject } from '../../support.ts';
import { ran, tell, used } from '../../tell.ts';
import { emptyProject, inMemory, json } from '../support.ts';

function projectWith(items: number, name = 'spec.md'): string {
  const dir = emptyProject();
  const list = Array.from({ length: items }, (_, n) => `- [ ] the part ${n}\n`).join('');
  writeFileSync(path.join(dir, name), `# Spec\n\n${list}`);
  return dir;
}

it('estimate says what a file, a text and stdin take, and that it is a failure if there is no room', async () => {
  const dir = projectWith(27);
  const large = await inMemory(dir, ['estimate', 'spec.md', '--json']);
  expect(large.code).toBe(1);
  expect(json(large)).toMatchObject({
    tokens: 143_100,
    window: 200_000,
    used: 0,
    share: 72,
    advice: 'shard',
  });
  const small = await inMemory(dir, ['estimate', 'Rename the parser']);
  expect(small.code).toBe(0);
  expect(small.stdout).toContain(
    'About 4k tokens, 2% of the window; 80% of such tasks take 1k to 13k.',
  );
  expect((await inMemory(dir, ['estimate', 'none.md'])).stderr).toContain('FS_NOT_FOUND');
});

it('estimate --plan packs open todos into what is left before L2, first fit, and into new sessions', async () => {
  const dir = emptyProject();
  const project = openTestProject(dir);
  const todo = (content: string, status = 'pending') => ({ content, status });
  const [first, large, small] = [
    'Move the parser',
    Array.from({ length: 9 }, (_, n) => `new/${n}.ts`).join(' '),
    'Rename it',
  ] as const;
  const todos = [todo('Begin', 'completed'), todo(first), todo(large), todo(small)];
  tell(
    project,
    used('m1', 20_000, { at: 1 }),
    used('m2', 160_000, { at: 2 }),
    ...ran('t1', 'TodoWrite', { todos }, { response: {} }),
  );
  project.close();
  const plan = json<SessionPlan>(await inMemory(dir, ['estimate', '--plan', '--json']));
  const sizes = new Map(
    plan.sessions.flatMap((one) => one.todos).map(({ title, tokens }) => [title, tokens]),
  );
  const percent = (held: number, ...all: string[]) =>
    Math.round(all.reduce((sum, title) => sum + sizes.get(title)!, held) / 2000);
  expect(plan.sessions.map((one) => [one.todos.map(({ title }) => title), one.percent])).toEqual([
    [[first, small], percent(160_000, first, small)],
    [[large], percent(20_000, large)],
  ]);
  const { stdout } = await inMemory(dir, ['estimate', '--plan']);
  expect(stdout).toMatch(
    /^This session: 2 todos, up to about 8\d%; best handed off behind "Rename it"\.$/m,
  );
  writeFileSync(path.join(dir, 'list.md'), '- [x] done\n- [ ] open\n');
  const listed = json<SessionPlan>(
    await inMemory(dir, ['estimate', 'list.md', '--plan', '--json']),
  );
  expect(listed.sessions[0]!.todos).toMatchObject([{ title: 'open' }]);
  expect((await inMemory(emptyProject(), ['estimate', '--plan'])).code).toBe(1);
  expect((await inMemory(dir, ['estimate'])).code).toBe(2);
});

it('shard makes files that hold all items, overwrites none, and status says how much is done', async () => {
  const dir = projectWith(27);
  const cut = await inMemory(dir, ['shard', 'spec.md', '--write', 'parts', '--json']);
  const { plan, shards, files } = json<{ plan: string; shards: object[]; files: string[] }>(cut);
  expect(shards).toHaveLength(3);
  expect(readdirSync(path.join(dir, 'parts'))).toHaveLength(3);
  const titles = (file: string) =>
    itemsOf(readFileSync(path.join(dir, file), 'utf8')).map(({ title }) => title);
  expect(files.flatMap(titles)).toEqual(titles('spec.md'));
  const again = await inMemory(dir, ['shard', 'spec.md', '--write', 'parts']);
  expect([again.code, again.stderr]).toEqual([
    1,
    expect.stringContaining('parts/spec-1-of-3.md is there already') as string,
  ]);
  // All or none.
  mkdirSync(path.join(dir, 'two/spec-3-of-3.md'), { recursive: true });
  expect((await inMemory(dir, ['shard', 'spec.md', '--write', 'two'])).code).toBe(1);
  expect(readdirSync(path.join(dir, 'two'))).toEqual(['spec-3-of-3.md']);
  expect((await inMemory(dir, ['shard', 'spec.md', '--write', 'spec.md'])).stderr).toContain(
    'spec.md is there already',
  );
  // The same plan is kept but once.
  expect(json(await inMemory(dir, ['shard', 'spec.md', '--json']))).toMatchObject({ plan });

  const ticked = readFileSync(path.join(dir, 'spec.md'), 'utf8').split('\n');
  const done = ticked.map((line, at) => (at < 12 ? line.replace('[ ]', '[x]') : line));
  writeFileSync(path.join(dir, 'spec.md'), done.join('\n'));
  const [status, ...others] = json<{ shards: { done: number; items: number }[] }[]>(
    await inMemory(dir, ['shard', 'status', '--json']),
  );
  expect(others).toEqual([]);
  expect(status).toMatchObject({ plan, source: 'spec.md', isChanged: true });
  expect(status!.shards.map(({ done, items }) => `${done}/${items}`)).toEqual([
    '9/9',
    '1/9',
    '0/9',
  ]);
  expect((await inMemory(dir, ['shard', 'status'])).stdout).toContain('1 of 3 shards done');
});

it('shard refuses a file without a list, and status has nothing to show before the first', async () => {
  const dir = projectWith(0);
  expect((await inMemory(dir, ['shard', 'spec.md'])).stderr).toContain('no open list item');
  expect((await inMemory(dir, ['shard', 'status'])).code).toBe(1);
  expect(existsSync(path.join(dir, 'parts'))).toBe(false);
});

it('checkpoint --estimate says what estimate does', async () => {
  const dir = projectWith(27);
  const said = await inMemory(dir, ['checkpoint', '--estimate', 'spec.md']);
  expect(said.code).toBe(0);
  expect(said.stdout).toBe((await inMemory(dir, ['estimate', 'spec.md'])).stdout);
});

it('says that a file is not there, and that a task has no words', async () => {
  const dir = emptyProject();
  for (const command of ['shard', 'estimate']) {
    const { code, stderr } = await inMemory(dir, [command, 'no.md']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('there is no file no.md')]);
  }
  const { code, stderr } = await inMemory(dir, ['estimate', ' ']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('the task is empty')]);
});
