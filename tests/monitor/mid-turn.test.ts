import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { HOOK_EVENTS } from '../../src/capture/claude/hook-names.ts';
import { ben10, lines } from '../cli/support.ts';
import { givenIn } from '../hook/run-hook.ts';
import { call, connect, textOf } from '../mcp/support.ts';
import { working } from './working.ts';

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

describe('in mid-turn, by the server', () => {
  it('a level is told behind a tool call, once, and no other hook carries a text', async () => {
    const { dir, file, growTo, alerts } = working();
    const server = await connect(dir);
    let n = 0;
    const recorded = async (event: string, more: Record<string, unknown> = {}) => {
      n += 1;
      const input = {
        hook_event_name: event,
        session_id: '11111111-2222-4333-8444-555555555555',
        transcript_path: file,
        cwd: dir,
        tool_name: 'Bash',
        tool_input: '{"command":"ls"}',
        tool_response: '{"stdout":""}',
        tool_use_id: `t${n}`,
        ...more,
      };
      return textOf(await call(server, 'ben10_record', input));
    };
    growTo(60);
    expect(await recorded('PostToolUse')).toBe('{}');
    growTo(86);
    for (const event of ['Stop', 'SubagentStop', 'PreCompact', 'PreToolUse', 'PostToolUseFailure'])
      expect(await recorded(event), event).toBe('{}');
    expect(await recorded('PostToolUse', { agent_id: 'a1', agent_type: 'x' })).toBe('{}');
    const told: string[] = [];
    // It looks twice a second, and tells with the next call what took longer than a call may wait.
    await vi.waitFor(
      async () => {
        const text = await recorded('PostToolUse');
        if (text !== '{}') told.push(text);
        expect(told).toHaveLength(1);
      },
      { timeout: 20_000, interval: 100 },
    );
    expect(JSON.parse(told[0]!)).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PostToolUse',
        additionalContext: expect.stringMatching(/^<ben10-context-L2>\n🔶 Context at 86%/),
      },
    });
    for (let more = 0; more < 7; more += 1) {
      await new Promise((over) => setTimeout(over, 100));
      expect(await recorded('PostToolUse')).toBe('{}');
    }
    expect(alerts()).toMatchObject([{ data: { level: 'L2', event: 'PostToolUse', to: 'model' } }]);
  });
});

it('a text that did not reach the model is given once more at the next prompt', async () => {
  const { file, growTo, hook, called, alerts } = working();
  const prompt = async () => givenIn(await hook('UserPromptSubmit', { prompt: 'go on' }));
  const arrived = (type: string, text: string) => {
    const attachment = { type, hookEvent: 'PostToolUse', content: [text] };
    const record = { type: 'attachment', attachment, timestamp: new Date().toISOString() };
    appendFileSync(file, `${JSON.stringify(record)}\n`);
  };
  growTo(71);
  arrived('hook_success', await called());
  expect(await prompt()).toContain('⚠️ Context at 71%');
  expect(await prompt()).toBe('');
  growTo(86);
  arrived('async_hook_response', await called());
  expect(await prompt()).toBe('');
  growTo(96);
  arrived('hook_additional_context', await prompt());
  expect(await prompt()).toBe('');
  expect(alerts().map(({ data }) => (data as { level: string }).level)).toEqual([
    ...['L1', 'L1', 'L2', 'L3'],
  ]);
});

it('no other hook than a prompt and the end of a tool call tells the model a level', async () => {
  const { growTo, hook, alerts } = working();
  growTo(97);
  for (const event of HOOK_EVENTS.filter(
    (one) => !['PostToolUse', 'UserPromptSubmit'].includes(one),
  )) {
    const answer = await hook(event);
    expect(answer, event).not.toMatch(/ben10-context|decision/);
    if (/Stop|Compact|SessionEnd/.test(event))
      expect(answer, event).not.toContain('additionalContext');
  }
  expect(alerts()).toEqual([]);
});

it('levels come before the compaction that the client’s settings and variables name, noted once', async () => {
  const { dir, growTo, hook, called } = working();
  const home = path.join(dir, 'home');
  const settings = (folder: string, value: unknown) => {
    mkdirSync(path.join(folder, '.claude'), { recursive: true });
    writeFileSync(path.join(folder, '.claude/settings.json'), JSON.stringify(value));
  };
  const start = (env: Record<string, string> = {}) =>
    hook('SessionStart', { source: 'startup' }, { HOME: home, ...env });
  const noted = () =>
    lines(ben10(dir, ['log', '--type', 'context.compacting', '--all', '--json'])).map(
      ({ data }) => data,
    );
  await start();
  expect(noted()).toEqual([]);
  settings(home, { autoCompactWindow: 500_000, env: { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '50' } });
  for (let again = 0; again < 2; again += 1) await start();
  expect(noted()).toEqual([{ window: 500_000, percent: 50 }]);
  growTo(46);
  expect(await called()).toContain('compacts at about 50%');
  settings(dir, { autoCompactEnabled: false, autoCompactWindow: 'auto' });
  await start({ CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: 'x' });
  await start({ CLAUDE_CODE_AUTO_COMPACT_WINDOW: '300000' });
  writeFileSync(path.join(dir, '.claude/settings.json'), '{"cut');
  await start({ DISABLE_AUTO_COMPACT: '0' });
  expect(noted().slice(1)).toEqual([
    { isOff: true },
    { isOff: true, window: 300_000, percent: 50 },
    { window: 500_000, percent: 50 },
  ]);
});

it('what is damaged, missing or no transcript tells nothing and stops nothing', async () => {
  const { dir, file, growTo, called } = working();
  for (const transcript_path of ['/dev/zero', dir, `${file}.no`, 'x\0y', 7])
    expect(await called({ transcript_path })).toBe('');
  appendFileSync(file, '{"type":"assistant","message":{"usage":{"input_tokens":1e99}}}\n{"cut');
  expect(await called()).toBe('');
  appendFileSync(file, '\n');
  growTo(72);
  expect(await called()).toContain('⚠️ Context at 72%');
  writeFileSync(path.join(dir, '.ben10/monitor/s.json'), '{"version":1');
  expect(await called()).toBe('');
});
