import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { allHandoffs } from '../../../src/handoff/of-project.ts';
import { FILES, handedOff } from '../../handoff/support.ts';
import { openTestProject } from '../../support.ts';
import { connect } from '../support.ts';

const textIn = (answer: unknown): string =>
  (answer as { content: { text: string }[] }).content.map(({ text }) => text).join('\n');

describe('the tools for handoffs', { tags: 'long' }, () => {
  it('write one with the agent’s words, say where to go on, and what holds no more', async () => {
    const { project } = handedOff();
    const { dir } = project;
    project.close();
    const { client } = await connect(dir, { BEN10_PROFILE: 'core,monitor' });
    const call = async (name: string, args = {}) =>
      textIn(await client.callTool({ name, arguments: args }));
    const next = ['Split the printer at the comment', 'Then run the lint'];
    const rejected = ['One file for all: the bundler loads it at once'];
    const answer = await call('create_handoff', { next_steps: next, rejected, issue: 'ANV-7' });
    expect(answer).toContain('{');
    const made = JSON.parse(answer.replace(/^[^{]*/, ''));
    const title = 'Context Checkpoint manual - ANV-7';
    expect(made).toMatchObject({ title, type: 'change', concepts: ['checkpoint', 'handoff'] });
    const text = readFileSync(path.join(dir, made.file), 'utf8');
    expect(parse(text.split('---\n')[1]!)).toMatchObject({
      title,
      type: 'change',
      concepts: made.concepts,
    });
    expect(text).toMatch(/^- One file for all: the bundler loads it at once \[C\d+ @\d+ said\]$/m);
    const [record] = allHandoffs(openTestProject(dir));
    expect([record!.handoff.title, record!.handoff.nextSteps]).toEqual([title, next]);
    writeFileSync(path.join(dir, FILES[1]!), 'else\n');
    expect(await call('orient')).toContain(`1. ${next[0]}\n2. ${next[1]}`);
    expect(await call('verify_handoff', { handoff: made.handoff })).toMatch(
      /changed C\d+ src\/part-1\.ts: outside of the agent/,
    );
    const uri = `ben10://handoffs/${path.basename(made.file, '.md')}`;
    const { contents } = await client.readResource({ uri });
    expect((contents[0] as { text: string }).text).toBe(text);
    const { messages } = await client.getPrompt({ name: 'orient' });
    expect((messages[0]!.content as { text: string }).text).toContain(next[0]);
    const missing = await client.callTool({ name: 'orient', arguments: { handoff: 'nothing' } });
    expect([missing.isError, textIn(missing)]).toEqual([
      true,
      expect.stringContaining('HANDOFF_NOT_FOUND'),
    ]);
  });
});
