import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { inMemory, json } from '../cli/support.ts';
import { git } from '../handoff/random-repository.ts';
import { repository } from '../packs/repository.ts';
import { KEY, Linear } from './linear-server.ts';

const SPEC = `# Spec\n\n${Array.from({ length: 6 }, (_, n) => `- [ ] the \`part\` ${n}\n`).join('')}`;

async function specced(branch = 'ENG-7') {
  const dir = repository({ 'spec.md': SPEC, '.gitignore': '.ben10/\n' });
  git(dir, ['checkout', '-q', '-b', branch]);
  mkdirSync(path.join(dir, '.ben10'));
  const linear = await new Linear().listen();
  linear.issue('ENG-7', 's-doing');
  const env = { LINEAR_API_KEY: KEY, BEN10_LINEAR_URL: linear.url };
  const run = (...args: string[]) => inMemory(dir, args, { env });
  await run('config', 'set', 'tracker.kind', 'linear');
  return { dir, linear, run };
}

it('a spec becomes sub-issues of the issue in work, once each, also where an answer was lost', async () => {
  const { linear, run } = await specced();
  const cut = ['shard', 'spec.md', '--into', '3', '--issues', '--json'];
  linear.fault = () => (linear.issues.length === 2 ? 'late' : undefined);
  const lost = await run(...cut);
  expect([lost.code, json(lost)]).toMatchObject([1, { issues: ['ENG-901'] }]);
  linear.fault = () => undefined;
  for (let n = 0; n < 2; n += 1) {
    const { code, stdout } = await run(...cut);
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      { issues: ['ENG-901', 'ENG-902', 'ENG-903'] },
    ]);
  }
  // To look at it only changes nothing.
  expect((await run('shard', 'spec.md', '--into', '3')).code).toBe(0);
  expect((await run(...cut)).code).toBe(0);
  const made = linear.issues.slice(1);
  expect(made).toHaveLength(3);
  expect(made[0]).toMatchObject({
    parent: 'id-ENG-7',
    team: 'ENG',
    title: 'Spec (1/3)',
    description: "Shard 1 of 3 of `spec.md`\n\n- [ ] `the 'part' 0`\n- [ ] `the 'part' 1`",
  });
  expect(new Set(linear.changes).size).toBe(linear.changes.length);
});

it('a secret in a spec goes nowhere, and its shards are known again', async () => {
  const { dir, linear, run } = await specced();
  const secret = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';
  const file = path.join(dir, 'spec.md');
  writeFileSync(file, SPEC.replace('part` 0', `part\` ${secret}`));
  for (let n = 0; n < 2; n += 1) await run('shard', 'spec.md', '--into', '3', '--issues');
  expect(linear.issues.slice(1)).toHaveLength(3);
  expect(JSON.stringify(linear.issues)).not.toContain(secret);
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('- [ ]', '- [x]'));
  expect(json(await run('shard', 'status', '--json'))).toMatchObject([
    { shards: Array(3).fill({ items: 2, done: 2 }) },
  ]);
});

it('the parent’s comment has a checklist of the shards, which follows what is done', async () => {
  const { dir, linear, run } = await specced();
  await run('shard', 'spec.md', '--into', '3', '--issues');
  expect(linear.comments.map(({ issue, body }) => [issue, body])).toEqual([
    [
      'id-ENG-7',
      [
        '**ben10**: 0 of 3 shards of `spec.md`',
        '',
        '- [ ] ENG-901 `Spec`',
        '- [ ] ENG-902 `Spec`',
        '- [ ] ENG-903 `Spec`',
      ].join('\n'),
    ],
  ]);
  const file = path.join(dir, 'spec.md');
  const ticked = readFileSync(file, 'utf8').replaceAll(
    /- \[ \] (?=the `part` [0123]$)/gm,
    '- [x] ',
  );
  writeFileSync(file, ticked);
  expect((await run('tracker', 'sync')).stdout).toBe('1 delivery made, 0 to go\n');
  expect(linear.comments).toHaveLength(1);
  expect(linear.comments[0]!.body).toMatch(/^\*\*ben10\*\*: 2 of 3 shards.*\n\n- \[x\] ENG-901 /);
});

it('needs Linear, and an issue in work', async () => {
  const { run } = await specced('work');
  const cut = ['shard', 'spec.md', '--issues'];
  const without = await run(...cut);
  expect([without.code, without.stderr]).toEqual([
    2,
    expect.stringContaining('no issue is in work'),
  ]);
  await run('config', 'set', 'tracker.kind', 'github');
  expect((await run(...cut)).stderr).toContain('sub-issues are made in Linear alone');
});
