import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ben10, emptyProject, lines } from '../cli/support.ts';
import { givenIn, hooked } from '../hook/run-hook.ts';

/** A project, and a session's transcript that grows to so many percent of 200,000 tokens. */
function working() {
  const dir = emptyProject();
  const file = path.join(dir, 'transcript.jsonl');
  writeFileSync(file, '');
  let n = 0;
  const growTo = (percent: number) => {
    n += 1;
    const usage = { input_tokens: percent * 2000, output_tokens: 1 };
    const message = {
      id: `m${n}`,
      role: 'assistant',
      model: 'claude-opus-4-6',
      content: [],
      usage,
    };
    const parentUuid = n === 1 ? null : `u${n - 1}`;
    const record = { type: 'assistant', uuid: `u${n}`, parentUuid, sessionId: 's', message };
    const timestamp = new Date(Date.UTC(2026, 10, 1, 10, n)).toISOString();
    appendFileSync(file, `${JSON.stringify({ ...record, timestamp })}\n`);
  };
  const hook = async (event: string, fields: Record<string, unknown> = {}) =>
    hooked(dir, event, { transcript_path: file, ...fields });
  const called = async (fields: Record<string, unknown> = {}) => {
    n += 1;
    const call = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: `t${n}` };
    return givenIn(
      await hook('PostToolUse', { ...call, tool_response: { stdout: '' }, ...fields }),
    );
  };
  const alerts = () => lines(ben10(dir, ['log', '--type', 'context.alerted', '--json']));
  return { dir, file, growTo, hook, called, alerts };
}

describe('in mid-turn, by a command', () => {
  it('a level is told behind the tool call that crossed it, once, and never to a sub-agent', async () => {
    const { growTo, called, alerts } = working();
    growTo(60);
    expect(await called()).toBe('');
    growTo(71);
    expect(await called({ agent_id: 'a1', agent_type: 'x' })).toBe('');
    expect(await called()).toContain('⚠️ Context at 71%');
    expect(await called()).toBe('');
    growTo(86);
    const text = await called();
    expect(text).toMatch(/^<ben10-context-L2>\n🔶 Context at 86%/);
    growTo(97);
    expect(await called()).toContain('🔴 Context at 97%');
    expect(alerts()).toMatchObject(
      ['L1', 'L2', 'L3'].map((level) => ({ data: { level, event: 'PostToolUse', to: 'model' } })),
    );
  });

  it('eight processes that cross at once tell it once in each of two sessions', {
    tags: 'long',
  }, async () => {
    const { growTo, called, alerts } = working();
    growTo(86);
    const of = (session_id: string) => Array.from({ length: 4 }, () => called({ session_id }));
    const texts = await Promise.all([...of('s'), ...of('another')]);
    expect(texts.filter(Boolean)).toHaveLength(2);
    expect(
      alerts()
        .map((event) => event.session)
        .toSorted(),
    ).toEqual(['another', 's']);
  });
});
