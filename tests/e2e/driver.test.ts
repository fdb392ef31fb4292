/** @module-tag long */
import { describe, expect, it, onTestFinished } from 'vitest';
import { clientIsHere } from './driver/client-install.ts';
import { ofEvent, type Played, play, type Session } from './driver/play.ts';
import { userPrompts, wholeText } from './driver/requests.ts';
import type { ClientRun } from './driver/run-client.ts';
import { createSandbox } from './driver/sandbox.ts';
import { rewoundAndForked } from './driver/sessions/branches.ts';
import { PROJECT_COMMANDS, slashCommands } from './driver/sessions/slash-commands.ts';
import { twoCompactions } from './driver/sessions/two-compactions.ts';
import { readTranscript } from './driver/transcripts.ts';

/** Plays a session in a sandbox that ends with the test. */
function playOnce(session: Session): Promise<Played> {
  const sandbox = createSandbox(PROJECT_COMMANDS);
  onTestFinished(() => sandbox.dispose());
  return play(sandbox, session);
}

describe.runIf(clientIsHere())('the real client on the scripted model', () => {
  it('compacts by itself when the context is full, and again by hand', async () => {
    const { requests, hooks } = await playOnce(twoCompactions);

    expect(requests.filter(({ kind }) => kind === 'compaction')).toHaveLength(2);
    expect(ofEvent(hooks, 'PostCompact').map(({ trigger }) => trigger)).toEqual(['auto', 'manual']);
  });

  it('leaves a dead branch after a rewind, and copies the live one into a fork', async () => {
    const { runs, hooks } = await playOnce(rewoundAndForked);
    const [first, rewound, forked] = runs as [ClientRun, ClientRun, ClientRun];

    expect(rewound.sessionId).toBe(first.sessionId);
    expect(wholeText(rewound.requests[0]!)).not.toContain('Try it the wrong way.');
    expect(forked.sessionId).not.toBe(first.sessionId);
    expect(wholeText(forked.requests[0]!)).toContain('Try it the right way.');
    expect(ofEvent(hooks, 'SessionStart').map(({ source }) => source)).toEqual([
      'startup',
      'resume',
      'fork',
    ]);
    expect(JSON.stringify(readTranscript(first.transcript!))).toContain('Try it the wrong way.');
    expect(JSON.stringify(readTranscript(forked.transcript!))).not.toContain(
      'Try it the wrong way.',
    );
  });

  it('hands slash commands to the hooks as the user typed them', async () => {
    const { requests, hooks } = await playOnce(slashCommands);

    const typed = ofEvent(hooks, 'UserPromptSubmit').map(({ prompt }) => prompt);
    expect(typed).toEqual(['/review src/todo.js', '/nosuch thing']);
    expect(userPrompts(requests)).toEqual(['Review src/todo.js.\n', '/nosuch thing']);
    expect(ofEvent(hooks, 'UserPromptExpansion')).toMatchObject([{ command_name: 'review' }]);
  });
});
