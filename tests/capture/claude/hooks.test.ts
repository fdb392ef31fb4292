import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HOOK_EVENTS, hookEventName } from '../../../src/capture/claude/hook-names.ts';
import { observeHook, UNKNOWN_SESSION } from '../../../src/capture/claude/hooks.ts';
import { fact } from '../../../src/events/identity.ts';
import { FIXTURES } from '../support/recorded.ts';

const AT = 1_795_256_011_000;
const hook = (event: string, input: Record<string, unknown> = {}) =>
  observeHook(event, { session_id: 's', hook_event_name: event, ...input }, AT);
const tool = { tool_name: 'Bash', tool_use_id: 't1', tool_input: { command: 'ls' } };

describe('the names of hook events', () => {
  test.each([
    ['session-start', 'SessionStart'],
    ['SESSION_START', 'SessionStart'],
    ['posttoolusefailure', 'PostToolUseFailure'],
    ['pre-compact', 'PreCompact'],
    ['something-new', 'something-new'],
  ])('%s is %s', (given, name) => {
    expect(hookEventName(given)).toBe(name);
  });

  test('are those of the client, once each', () => {
    expect(HOOK_EVENTS).toHaveLength(33);
    expect(new Set(HOOK_EVENTS).size).toBe(33);
  });
});

describe('a hook', () => {
  test('speaks of its session and sub-agent, at the time at which it came', () => {
    expect(hook('PreToolUse', { ...tool, agent_id: 'a9' })).toMatchObject({
      session: 's',
      agent: 'a9',
      at: AT,
    });
    expect(observeHook('Stop', {}, AT)).toMatchObject({ session: UNKNOWN_SESSION, agent: null });
  });

  test('goes by the name in its input before the one on the command line', () => {
    expect(hook('stop', { hook_event_name: 'SessionEnd', reason: 'other' })?.type).toBe(
      'session.ended',
    );
    expect(observeHook('session-end', { reason: 'clear' }, AT)?.data).toEqual({ reason: 'clear' });
  });

  test('that fires with every flush of the screen says nothing', () => {
    expect(hook('MessageDisplay', { delta: 'x' })).toBeUndefined();
  });

  test.each(['FutureEvent', 'Notification', '__proto__', 'constructor'])(
    'that has no event of its own is kept whole: %s',
    (event) => {
      const input = { session_id: 's', hook_event_name: event, anything: [1] };
      expect(observeHook(event, input, AT)).toMatchObject({
        type: 'hook.received',
        fact: null,
        data: { event, payload: input },
      });
    },
  );

  test.each([
    ['UserPromptSubmit', {}],
    ['UserPromptSubmit', { prompt: '' }],
    ['UserPromptSubmit', { prompt: 5 }],
    ['PreToolUse', { tool_name: 'Bash' }],
    ['PreToolUse', { tool_use_id: 't1' }],
    ['PostToolUse', {}],
    ['PostToolUseFailure', {}],
    ['SubagentStart', { agent_type: 'x' }],
  ])('that lacks what its event needs is kept whole: %s %j', (event, input) => {
    expect(hook(event, input)?.type).toBe('hook.received');
  });

  test('that repeats the answers of a batch is kept without them', () => {
    const calls = [{ tool_use_id: 't1', tool_response: 'big' }, { tool_use_id: 't2' }, 5, {}];
    expect(hook('PostToolBatch', { tool_calls: calls })?.data).toEqual({
      event: 'PostToolBatch',
      payload: { tool_use_ids: ['t1', 't2', ''] },
    });
  });
});

describe('each hook with an event of its own, of which all fields are in hook-fields.test.ts', () => {
  test.each([
    ['SessionStart', {}, 'session.started', { source: 'unknown', worktree: '' }],
    ['SessionEnd', {}, 'session.ended', { reason: 'unknown' }],
    [
      'PreCompact',
      { trigger: 'auto', custom_instructions: null },
      'compaction.started',
      { trigger: 'auto' },
    ],
    ['PostCompact', {}, 'compaction.finished', { trigger: 'unknown', summary: '' }],
    ['StopFailure', {}, 'turn.ended', { error: 'unknown' }],
  ] as const)('%s %j', (event, input, type, data) => {
    expect(hook(event, input)).toMatchObject({ type, fact: null, session: 's', at: AT });
    expect(hook(event, input)?.data).toEqual(data);
  });

  test('a call and its outcome go by the client’s own id', () => {
    expect(hook('PreToolUse', tool)?.fact).toBe(fact.toolCall('t1'));
    expect(hook('PostToolUse', tool)?.fact).toBe(fact.toolOutcome('t1'));
    expect(hook('PostToolUseFailure', { ...tool, error: 'Exit code 2' })).toMatchObject({
      fact: fact.toolOutcome('t1'),
      data: { error: 'Exit code 2', exitCode: 2 },
    });
    expect(hook('PostToolUseFailure', { tool_use_id: 't1' })?.data).toEqual({
      toolUseId: 't1',
      error: '',
    });
    expect(hook('PreToolUse', { ...tool, tool_input: undefined })?.data).toMatchObject({
      input: null,
    });
  });

  test('the end of a task in the background is no prompt, though it comes as one', () => {
    expect(hook('UserPromptSubmit', { prompt: '<task-notification>\n…' })?.type).toBe(
      'hook.received',
    );
  });

  test('the agent that writes a compaction’s summary is no sub-agent', () => {
    expect(hook('SubagentStop', { agent_id: 'a', agent_type: '' })?.type).toBe('hook.received');
  });
});

test('every hook of a real client is a fact, or kept whole, or noise', () => {
  const lines = readFileSync(path.join(FIXTURES, 'real-client/sub-agents/hooks.jsonl'), 'utf8');
  const types = lines
    .trim()
    .split('\n')
    .map((line) => observeHook('', JSON.parse(line), AT)?.type);
  expect(new Set(types)).toEqual(
    new Set([
      'session.started',
      'hook.received',
      'prompt.submitted',
      'tool.called',
      'tool.succeeded',
      'tool.failed',
      'subagent.started',
      'subagent.stopped',
      'turn.ended',
      'session.ended',
      undefined,
    ]),
  );
});

test('no input can make a hook fail', () => {
  const events = fc.oneof(fc.constantFrom(...HOOK_EVENTS), fc.string());
  const known = [
    'prompt',
    'tool_name',
    'tool_use_id',
    'agent_id',
    'agent_type',
    'error',
    'session_id',
  ];
  const input = fc.dictionary(fc.oneof(fc.constantFrom(...known), fc.string()), fc.anything());
  fc.assert(
    fc.property(events, input, (event, fields) => {
      observeHook(event, fields, AT);
    }),
    { numRuns: 1000 },
  );
});
