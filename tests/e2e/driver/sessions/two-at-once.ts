import { type ClientRun, runClient } from '../run-client.ts';
import type { Sandbox } from '../sandbox.ts';
import { check, read } from './calls.ts';

/** Two sessions in one project: each gets its first answer when both have asked. */
export async function twoSessions(sandbox: Sandbox): Promise<ClientRun[]> {
  let asked = 0;
  let bothAsked: () => void = () => {};
  const gate = new Promise<void>((open) => {
    bothAsked = open;
  });
  const play = (prompt: string, path: string) =>
    runClient(sandbox, {
      prompt,
      scenario: { steps: [{ tools: [read(path), check] }, { text: `I have read ${path}.` }] },
      onRequest: ({ index }) => {
        if (index !== 0) return;
        asked += 1;
        if (asked === 2) bothAsked();
        return gate;
      },
    });
  return Promise.all([play('Read the README.', 'README.md'), play('Read the rules.', 'CLAUDE.md')]);
}
