import { describe, expect, test } from 'vitest';
import {
  keepNewest,
  PromptCounts,
  SideChains,
} from '../../../src/capture/claude/record-context.ts';
import { answered, newContext, observe, said } from './reading.ts';

describe('side chains inside a main thread’s transcript', () => {
  const inChain = (uuid: string, parentUuid: string | null, fields: object = {}) => ({
    type: 'progress',
    isSidechain: true,
    uuid,
    parentUuid,
    ...fields,
  });

  test('are told apart by the record that they start with, through records of every kind', () => {
    const chains = new SideChains();
    expect(chains.agentOf(inChain('11111111-a', null))).toBe('sidechain-11111111');
    expect(chains.agentOf(inChain('22222222-b', null))).toBe('sidechain-22222222');
    expect(chains.agentOf(inChain('3', '11111111-a'))).toBe('sidechain-11111111');
    expect(chains.agentOf(inChain('4', '22222222-b'))).toBe('sidechain-22222222');
    expect(chains.agentOf(inChain('5', '3'))).toBe('sidechain-11111111');
    expect(chains.agentOf({ uuid: '6', parentUuid: '5' })).toBeNull();
  });

  test('have the name that the client gives them', () => {
    const chains = new SideChains();
    expect(chains.agentOf(inChain('1', null, { agentId: 'a9' }))).toBe('a9');
    expect(chains.agentOf(inChain('2', '1'))).toBe('a9');
  });

  test('go on from what an earlier reading saw, which is looked at once', () => {
    let readings = 0;
    const chains = new SideChains(() => {
      readings += 1;
      return [undefined, inChain('11111111-a', null), inChain('2', '11111111-a')];
    });
    expect(chains.agentOf(inChain('3', '2'))).toBe('sidechain-11111111');
    expect(chains.agentOf(inChain('4', 'nobody'))).toBe('sidechain-4');
    expect(readings).toBe(1);
  });

  test('are a sub-agent’s work, and not the main thread’s', () => {
    const found = observe([
      said('Examine it.', { isSidechain: true, uuid: '11111111-a', parentUuid: null }),
      answered([{ type: 'text', text: 'Done.' }], { isSidechain: true, parentUuid: '11111111-a' }),
      answered([{ type: 'text', text: 'It is done.' }], { uuid: 'a2' }),
    ]);
    expect(found.map(({ type, agent }) => [type, agent])).toEqual([
      ['message.recorded', 'sidechain-11111111'],
      ['message.recorded', 'sidechain-11111111'],
      ['message.recorded', null],
    ]);
  });
});

describe('counting prompts by their id', () => {
  test('goes on where an earlier reading stopped', () => {
    const first = new PromptCounts();
    first.running = 'p1';
    first.next('prompt', 'p1');
    first.next('compaction', 'p1');
    expect(first.state()).toEqual({ promptId: 'p1', prompts: 1, compactions: 1 });
    const second = new PromptCounts();
    second.goOn(first.state()!);
    expect(second.running).toBe('p1');
    expect([second.next('prompt', 'p1'), second.next('compaction', 'p1')]).toEqual([1, 1]);
  });

  test('has nothing to go on from before the first', () => {
    expect(new PromptCounts().state()).toBeUndefined();
  });

  test('knows what is worked on from a result as well', () => {
    const context = newContext();
    observe([said([{ type: 'tool_result', tool_use_id: 't' }], { promptId: 'p5' })], context);
    expect(context.prompts.state()).toEqual({ promptId: 'p5', prompts: 0, compactions: 0 });
  });

  test('a sub-agent’s records say nothing about it', () => {
    const context = newContext({ agent: 'a9' });
    observe([said('Task', { promptId: 'p5' })], context);
    expect(context.prompts.running).toBeUndefined();
  });
});

test('what is remembered of calls and chains is that of the newest, however many there were', () => {
  const names = new Map<string, string>();
  let most = 0;
  for (let n = 0; n < 50_000; n += 1) {
    names.set(`toolu_${n}`, 'Bash');
    keepNewest(names);
    most = Math.max(most, names.size);
  }
  expect(most).toBeLessThan(20_000);
  for (let n = 40_000; n < 50_000; n += 1) expect(names.get(`toolu_${n}`)).toBe('Bash');
});
