import { getEncoding } from 'js-tiktoken';
import { describe, expect, it } from 'vitest';
import { PROFILES } from '../../src/mcp/profiles.ts';
import { toolList } from '../../src/mcp/server.ts';
import { openTestProject } from '../support.ts';
import { saw, tell, used } from '../tell.ts';
import { call, connect, dataOf, textOf } from './support.ts';

const ENV = { BEN10_PROFILE: 'core,monitor' };

describe('the profile monitor', () => {
  it('has seven tools, which take at most 900 tokens of a context', () => {
    const { tools } = toolList(PROFILES.monitor.tools);
    const seen = tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
    }));
    expect(seen).toHaveLength(7);
    expect(getEncoding('cl100k_base').encode(JSON.stringify(seen)).length).toBeLessThanOrEqual(900);
  });

  it('says how full the context is and what to do, and puts a checkpoint off', async () => {
    const project = openTestProject();
    const prompt = saw('prompt.submitted', { text: 'go', promptId: 'p1' });
    tell(project, prompt, used('m1', 172_000));
    project.close();
    const server = await connect(project.dir, ENV);
    expect(await dataOf(server, 'context_status')).toMatchObject({
      advice: expect.stringContaining('create_handoff'),
      percent: 86,
      level: 'L2',
      window: 200_000,
      moment: { good: [], bad: [], isGood: false },
    });
    expect(await dataOf(server, 'defer_checkpoint', { points: 3 })).toEqual({
      level: 'L2',
      percent: 86,
      until: 89,
      left: 1,
    });
    expect(await dataOf(server, 'context_status')).toMatchObject({
      advice: 'Put off up to 89%: finish the task.',
      checkpoint: { state: 'deferred' },
    });
    const { contents } = await server.client.readResource({ uri: 'ben10://monitor' });
    expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ percent: 86 });
    await call(server, 'defer_checkpoint');
    const third = (await call(server, 'defer_checkpoint')) as Awaited<ReturnType<typeof call>>;
    expect(textOf(third)).toMatch(/^LIMIT_EXCEEDED: .*twice already/);
  });
});
