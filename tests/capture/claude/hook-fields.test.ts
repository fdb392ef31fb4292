import { describe, expect, it, test } from 'vitest';
import { HOOK_EVENTS } from '../../../src/capture/claude/hook-names.ts';
import { observeHook } from '../../../src/capture/claude/hooks.ts';
import { recordedSessions } from '../support/recorded.ts';
import { COMMON, DOCUMENTED } from './documented-hooks.ts';

type Event = (typeof HOOK_EVENTS)[number];
type Own = [event: Event, type: string, data: object, leftOut: string[]];

const AT = 1_795_256_011_000;
const { session_id: session, agent_id: agent, cwd, prompt_id: promptId } = COMMON;
const inputOf = (event: Event): Record<string, unknown> => ({
  ...COMMON,
  hook_event_name: event,
  ...DOCUMENTED[event],
});

/** No fact about the work, in any hook; the name of the event is its type. */
const NEVER = ['permission_mode', 'effort', 'hook_event_name'];
/** Told when the session started, and of the transcript by its records. */
const WHERE = ['transcript_path', 'cwd'];
/** Told with the agent's start and end. */
const WHO = ['agent_type'];
/** What the client does beside the turn: its own hooks and transcript tell of it when it is done. */
const BESIDE = ['stop_hook_active', 'background_tasks', 'session_crons'];

/** Hooks with an event of their own: what of all the fields is in it, and what is not. */
const OWN: Own[] = [
  [
    'SessionStart',
    'session.started',
    {
      source: 'resume',
      cwd,
      transcriptPath: COMMON.transcript_path,
      model: 'the model',
      worktree: cwd,
    },
    [
      ...['prompt_id', 'session_title', 'seconds_since_last_response', 'context_tokens'],
      ...['prompt_cache_likely_expired', 'estimated_cache_write_usd', ...WHO],
    ],
  ],
  ['SessionEnd', 'session.ended', { reason: 'logout' }, [...WHERE, ...WHO, 'prompt_id']],
  [
    'UserPromptSubmit',
    'prompt.submitted',
    { text: 'Do it.', promptId, cwd },
    ['transcript_path', 'source', 'session_title', ...WHO],
  ],
  [
    'PreToolUse',
    'tool.called',
    { toolUseId: 'the call', name: 'TheTool', input: { given: 'the input' }, promptId },
    [...WHERE, ...WHO, 'mcp_server'],
  ],
  [
    'PostToolUse',
    'tool.succeeded',
    { toolUseId: 'the call', name: 'TheTool', response: { said: 'the response' }, durationMs: 53 },
    // Its input and its prompt are the call's, which goes along.
    [...WHERE, ...WHO, 'mcp_server'],
  ],
  [
    'PostToolUseFailure',
    'tool.failed',
    {
      toolUseId: 'the call',
      name: 'TheTool',
      error: 'The error',
      isInterrupt: true,
      durationMs: 59,
    },
    [...WHERE, ...WHO, 'mcp_server'],
  ],
  [
    'Stop',
    'turn.ended',
    { lastMessage: 'The last message.' },
    [...WHERE, ...WHO, ...BESIDE, 'prompt_id'],
  ],
  [
    'StopFailure',
    'turn.ended',
    { lastMessage: 'The last message.', error: 'rate_limit' },
    [...WHERE, ...WHO, 'prompt_id', 'error_details'],
  ],
  [
    'SubagentStart',
    'subagent.started',
    { agentType: 'the kind of agent' },
    [...WHERE, 'prompt_id'],
  ],
  [
    'SubagentStop',
    'subagent.stopped',
    {
      agentType: 'the kind of agent',
      lastMessage: 'The last message.',
      transcriptPath: '/the/agent.jsonl',
    },
    [...WHERE, ...BESIDE, 'prompt_id'],
  ],
  [
    'PreCompact',
    'compaction.started',
    { trigger: 'manual', customInstructions: 'Keep this.' },
    [...WHERE, ...WHO, 'prompt_id'],
  ],
  [
    'PostCompact',
    'compaction.finished',
    { trigger: 'manual', summary: 'The summary.', promptId },
    [...WHERE, ...WHO],
  ],
];

/** Fields whose value is not to be found in what is kept, or without which the same would be kept. */
function leftOut(event: Event): string[] {
  const input = inputOf(event);
  const kept = JSON.stringify(observeHook('', input, AT));
  return Object.entries(input)
    .filter(([field, value]) => {
      const { [field]: _, ...others } = input;
      const isTold = kept.includes(JSON.stringify(value).replace(/^"|"$/g, ''));
      return !isTold || JSON.stringify(observeHook(event, others, AT)) === kept;
    })
    .map(([field]) => field);
}

describe('every documented field of a hook', () => {
  test.each(OWN)('is in the event of its own, or left out on purpose: %s', (...row) => {
    const [event, type, data, out] = row;
    const observed = observeHook('', inputOf(event), AT);
    expect(observed).toMatchObject({ type, session, agent, at: AT });
    expect(observed?.data).toEqual(data);
    expect(leftOut(event).sort()).toEqual([...NEVER, ...out].sort());
  });

  const apart: Event[] = ['MessageDisplay', 'PostToolBatch', ...OWN.map(([event]) => event)];
  test.each(HOOK_EVENTS.filter((event) => !apart.includes(event)))(
    'is kept as it came where the hook has no event of its own: %s',
    (event) => {
      const input = inputOf(event);
      expect(observeHook('', input, AT)).toMatchObject({ type: 'hook.received', session, agent });
      expect(observeHook('', input, AT)?.data).toEqual({ event, payload: input });
    },
  );

  it('stands here: a real client sent no other', () => {
    const moments = recordedSessions().flatMap((one) => one.moments);
    expect(moments.length).toBeGreaterThan(100);
    const unknown = moments.flatMap(({ input }) => {
      const known = inputOf(input.hook_event_name as Event);
      const fields = Object.keys(input).filter((field) => !Object.hasOwn(known, field));
      return fields.map((field) => `${input.hook_event_name}: ${field}`);
    });
    expect(unknown).toEqual([]);
  });
});
