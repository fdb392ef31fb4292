import { type ClientRun, runClient } from '../run-client.ts';
import type { Sandbox } from '../sandbox.ts';
import type { Step } from '../scenario.ts';
import { check, read } from './calls.ts';

/** A command that ends the client that runs it. */
const suicide = (command: string): Step => ({
  text: 'Now the check.',
  tools: [{ name: 'Bash', input: { command, description: 'Run the check' } }],
});

/**
 * A client that is killed three times and lives the fourth. It writes its transcript about a
 * tenth of a second behind, so the three leave different things on disk:
 * as soon as a command starts (as a rule the call is not in the transcript yet), a second
 * into a command (the call is there, its result never will be), and while the model answers
 * (the result, which a hook has had, may be missing).
 */
export async function killedClient(sandbox: Sandbox): Promise<ClientRun[]> {
  const atOnce = await runClient(sandbox, {
    prompt: 'Look at the README, then run the check.',
    scenario: {
      steps: [{ text: 'I read it.', tools: [read('README.md')] }, suicide('kill -9 $PPID')],
    },
  });
  const resume = atOnce.sessionId;
  const later = await runClient(sandbox, {
    prompt: 'Run the check again.',
    resume,
    scenario: { steps: [suicide('sleep 1; kill -9 $PPID')] },
  });
  const whileAnswering = await runClient(sandbox, {
    prompt: 'Go on after the crash.',
    resume,
    scenario: { steps: [{ text: 'I read the rules.', tools: [read('CLAUDE.md')] }] },
    onRequest: ({ index }, client) => {
      if (index === 1) client.kill('SIGKILL');
    },
  });
  const alive = await runClient(sandbox, {
    prompt: 'And once more.',
    resume,
    scenario: { steps: [{ tools: [check] }, { text: 'The check fails.' }] },
  });
  return [atOnce, later, whileAnswering, alive];
}
