import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { emptyProject, inMemory, json } from '../../cli/support.ts';
import { git } from '../../handoff/random-repository.ts';
import { repository } from '../../packs/repository.ts';
import { KEY, Linear } from '../../tracker/linear-server.ts';
import { connect } from '../support.ts';

it('a model is told the size of a spec, and its shards', { tags: 'long' }, async () => {
  const dir = emptyProject();
  const list = Array.from({ length: 27 }, (_, n) => `- the part ${n}\n`).join('');
  writeFileSync(path.join(dir, 'spec.md'), `# Spec\n\n${list}`);
  const { client } = await connect(dir, { BEN10_PROFILE: 'core,monitor' });
  const call = async (name: string, args: Record<string, unknown>) => {
    const answer = await client.callTool({ name, arguments: args });
    return (answer.content as { text: string }[]).map(({ text }) => text).join('\n');
  };
  expect(await call('estimate_task', { file: 'spec.md' })).toContain('143100');
  expect(await call('estimate_task', { task: 'Rename the parser' })).toContain('"fits"');
  expect(await call('estimate_task', { file: 'spec.md', plan: true })).toContain('"upTo"');
  expect(await call('estimate_task', { file: '../../etc/passwd' })).toContain('FS_NOT_FOUND');
  const made = JSON.parse(
    (await call('suggest_shards', { file: 'spec.md' })).replace(/^[^{]*/, ''),
  );
  expect(made.shards).toHaveLength(3);
  const [kept] = json<object[]>(await inMemory(dir, ['shard', 'status', '--json']));
  expect(kept).toMatchObject({ plan: made.plan, source: 'spec.md' });
  expect(await call('suggest_shards', { file: 'spec.md', create_issues: true })).toContain(
    'sub-issues are made in Linear alone',
  );
});

it('a model makes shards sub-issues of the issue in work, once', { tags: 'long' }, async () => {
  const dir = repository({ 'spec.md': '# Spec\n\n- one\n- two\n', '.gitignore': '.ben10/\n' });
  git(dir, ['checkout', '-q', '-b', 'ENG-7']);
  mkdirSync(path.join(dir, '.ben10'));
  const linear = await new Linear().listen();
  linear.issue('ENG-7');
  const key = { LINEAR_API_KEY: KEY, BEN10_LINEAR_URL: linear.url };
  const kind = { BEN10_PROFILE: 'monitor', BEN10_TRACKER_KIND: 'linear' };
  const { client } = await connect(dir, { ...key, ...kind });
  const args = { file: 'spec.md', into: 2, create_issues: true };
  for (let n = 0; n < 2; n += 1) {
    const { content } = await client.callTool({ name: 'suggest_shards', arguments: args });
    expect(JSON.stringify(content)).toContain('ENG-901');
  }
  expect(linear.issues.slice(1).map(({ title }) => title)).toEqual(['Spec (1/2)', 'Spec (2/2)']);
});
