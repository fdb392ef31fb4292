import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { emptyProject, inMemory, json } from '../../cli/support.ts';
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
  expect(await call('estimate_task', { file: '../../etc/passwd' })).toContain('FS_NOT_FOUND');
  const made = JSON.parse(
    (await call('suggest_shards', { file: 'spec.md' })).replace(/^[^{]*/, ''),
  );
  expect(made.shards).toHaveLength(3);
  const [kept] = json<object[]>(await inMemory(dir, ['shard', 'status', '--json']));
  expect(kept).toMatchObject({ plan: made.plan, source: 'spec.md' });
});
