import { type ClientRun, startConversation } from '../run-client.ts';
import type { Sandbox } from '../sandbox.ts';
import { check, createTask, read, setTask } from './calls.ts';

/** One automatic compaction in mid-turn and one by hand, in one session. */
export async function twoCompactions(sandbox: Sandbox): Promise<ClientRun[]> {
  // The client takes 100,000 tokens as the smallest window.
  const env = { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '100000' };
  const client = await startConversation(sandbox, {
    env,
    scenario: {
      summaries: ['The check failed; the list was read.', 'Due dates are being added.'],
      steps: [
        { text: 'I read the list.', tools: [read('src/todo.js')], inputTokens: 40_000 },
        { text: 'I run the check.', tools: [check], inputTokens: 150_000 },
        { text: 'I plan.', tools: [createTask('Add due dates', 'ISO dates')], inputTokens: 20_000 },
        { text: 'Planned.', inputTokens: 21_000 },
        { text: 'I go on.', tools: [setTask('1', 'in_progress')], inputTokens: 12_000 },
        { text: 'Done for today.', inputTokens: 13_000 },
      ],
    },
  });
  client.say('Add due dates. Never use a library for them.');
  await client.turn(1);
  client.say('/compact remember the rule about libraries');
  await client.turn(2);
  client.say('Go on.');
  await client.turn(3);
  client.hangUp();
  return [await client.done];
}
