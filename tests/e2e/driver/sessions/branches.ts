import { type ClientRun, runClient, startConversation } from '../run-client.ts';
import type { Sandbox } from '../sandbox.ts';
import { readTranscript } from '../transcripts.ts';
import { read } from './calls.ts';

/**
 * A conversation that is taken back to its first answer and goes on from there, so that its
 * second prompt is a dead branch; then a fork, a session that begins with a copy of this one.
 */
export async function rewoundAndForked(sandbox: Sandbox): Promise<ClientRun[]> {
  const client = await startConversation(sandbox, {
    scenario: {
      steps: [{ tools: [read('README.md')] }, { text: 'It is a list.' }, { text: 'A dead end.' }],
    },
  });
  client.say('What is this?');
  await client.turn(1);
  client.say('Try it the wrong way.');
  await client.turn(2);
  client.hangUp();
  const first = await client.done;

  const rewound = await runClient(sandbox, {
    prompt: 'Try it the right way.',
    resume: first.sessionId,
    args: ['--resume-session-at', answerUuid(first, 'It is a list.')],
    scenario: { steps: [{ text: 'That works.' }] },
  });
  const forked = await runClient(sandbox, {
    prompt: 'And in another session?',
    resume: first.sessionId,
    args: ['--fork-session'],
    scenario: { steps: [{ tools: [read('CLAUDE.md')] }, { text: 'There too.' }] },
  });
  return [first, rewound, forked];
}

/** The uuid of the transcript's record of an answer. */
function answerUuid(run: ClientRun, text: string): string {
  const records = readTranscript(run.transcript ?? '');
  const answer = records.find(
    ({ type, message }) => type === 'assistant' && JSON.stringify(message).includes(text),
  );
  if (answer?.uuid === undefined) throw new Error(`No answer "${text}" in ${run.transcript}`);
  return answer.uuid;
}
