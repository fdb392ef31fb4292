import { type ClientRun, runClient } from '../run-client.ts';
import type { Sandbox } from '../sandbox.ts';
import { PROJECT } from '../scenario.ts';
import { check, read } from './calls.ts';

export const AGENT_MARKERS = { review: 'REVIEW-1', docs: 'DOCS-1', tests: 'TESTS-1' };

const callAgent = (marker: string, task: string, type: string, background: boolean) => ({
  name: 'Agent',
  input: {
    description: task,
    prompt: `${marker}: ${task}.`,
    subagent_type: type,
    run_in_background: background,
  },
});

/** One sub-agent that the main loop waits for, then two in the background at once. */
export async function subAgentSession(sandbox: Sandbox): Promise<ClientRun[]> {
  const { review, docs, tests } = AGENT_MARKERS;
  const run = await runClient(sandbox, {
    prompt: 'Have the list reviewed, then the docs and the tests looked at.',
    scenario: {
      steps: [
        {
          text: 'I ask for a review.',
          tools: [callAgent(review, 'Review the list', 'general-purpose', false)],
        },
        {
          text: 'Now the two others.',
          tools: [
            callAgent(docs, 'Look at the docs', 'general-purpose', true),
            callAgent(tests, 'Look at the tests', 'Explore', true),
          ],
        },
        { text: 'I wait for their reports.' },
        { text: 'One report is here.' },
        { text: 'Both reports are here.' },
      ],
      agents: {
        [review]: [
          { text: 'I read it and run the check.', tools: [read('src/todo.js'), check] },
          {
            tools: [
              {
                name: 'Write',
                input: { file_path: `${PROJECT}/docs/review.md`, content: 'The check fails.\n' },
              },
            ],
          },
          { text: 'The check fails: there are no due dates.' },
        ],
        [docs]: [{ tools: [read('README.md')] }, { text: 'The docs are short but right.' }],
        [tests]: [
          { tools: [read('check.sh'), read('missing.txt')] },
          { text: 'There is one check.' },
        ],
      },
    },
  });
  return [run];
}
