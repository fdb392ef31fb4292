import { type ClientRun, runClient, startConversation } from '../run-client.ts';
import type { Sandbox } from '../sandbox.ts';
import { PROJECT, type Step } from '../scenario.ts';
import { check, createTask, read, setTask, TODO_FILE } from './calls.ts';

/** The prompts of the working session, in the order in which the user gives them. */
export const WORKING_PROMPTS = {
  first:
    'Add due dates to the todo list. Keep dates as ISO strings and never use a library for them.',
  queued: 'Also say in the README that dates are UTC.',
  compact: '/compact keep the file names',
  goOn: 'Go on with the overdue filter.',
  afterClear: 'What is left to do?',
};

export const WORKING_SUMMARY =
  'The user wants due dates. src/todo.js has a due field now; the overdue filter is open.';

const WORKING_STEPS: Step[] = [
  { text: 'I look at the list and its check first.', tools: [read('src/todo.js'), check] },
  {
    text: 'The check fails for want of due dates. I plan two tasks.',
    tools: [
      createTask('Add due dates', 'add(text, due) takes an ISO date'),
      createTask('Overdue filter', 'overdue(now) lists what is late'),
    ],
    inputTokens: 21_000,
  },
  {
    tools: [
      setTask('1', 'in_progress'),
      {
        name: 'Edit',
        input: {
          file_path: TODO_FILE,
          old_string: 'add(text) {',
          new_string: 'add(text, due = null) {',
        },
      },
      {
        name: 'Edit',
        input: {
          file_path: TODO_FILE,
          old_string: 'text, done: false',
          new_string: 'text, due, done: false',
        },
      },
    ],
    inputTokens: 24_000,
  },
  {
    text: 'Now the check should pass.',
    tools: [
      check,
      {
        name: 'Write',
        input: { file_path: `${PROJECT}/docs/dates.md`, content: '# Dates\n\nISO strings, UTC.\n' },
      },
    ],
    inputTokens: 27_000,
  },
  { tools: [setTask('1', 'completed')], inputTokens: 28_000 },
  { text: 'Due dates are in; the overdue filter is still open.', inputTokens: 29_000 },
];

/**
 * A working day: parallel calls, a failing and a passing command, tasks, a prompt that is
 * queued, `/compact`, resume, `/clear`.
 */
export async function workingSession(sandbox: Sandbox): Promise<ClientRun[]> {
  const prompts = WORKING_PROMPTS;
  const morning = await startConversation(sandbox, {
    scenario: { steps: WORKING_STEPS },
    onRequest: ({ index }, client) => {
      if (index === 3) client.say(prompts.queued);
    },
  });
  morning.say(prompts.first);
  await morning.turn(1);
  morning.hangUp();
  const first = await morning.done;
  const resume = first.sessionId;

  const compacted = await runClient(sandbox, {
    prompt: prompts.compact,
    resume,
    scenario: { steps: [], summaries: [WORKING_SUMMARY] },
  });

  const evening = await startConversation(sandbox, {
    resume,
    scenario: {
      steps: [
        { tools: [setTask('2', 'in_progress'), read('src/todo.js')], inputTokens: 9000 },
        { text: 'The filter needs the due field, which is there.', inputTokens: 9500 },
        {
          tools: [
            { name: 'Bash', input: { command: 'git status --short', description: 'See changes' } },
          ],
        },
        { text: 'The overdue filter.' },
      ],
    },
  });
  evening.say(prompts.goOn);
  await evening.turn(1);
  evening.say('/clear');
  await evening.turn(2);
  evening.say(prompts.afterClear);
  await evening.turn(3);
  evening.hangUp();
  return [first, compacted, await evening.done];
}
