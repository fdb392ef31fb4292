/** @module-tag long */
import { describe, expect, it, onTestFinished } from 'vitest';
import { clientIsHere } from './driver/client-install.ts';
import { outcomesInHooks, outcomesInTranscripts, outcomesSeenByModel } from './driver/outcomes.ts';
import { everyRecord, ofEvent, type Played, play, type Session } from './driver/play.ts';
import { toolResults, toolUses, userPrompts, wholeText } from './driver/requests.ts';
import type { ClientRun } from './driver/run-client.ts';
import { createSandbox } from './driver/sandbox.ts';
import { rewoundAndForked } from './driver/sessions/branches.ts';
import { killedClient } from './driver/sessions/killed-client.ts';
import { PROJECT_COMMANDS, slashCommands } from './driver/sessions/slash-commands.ts';
import { AGENT_MARKERS, subAgentSession } from './driver/sessions/sub-agents.ts';
import { twoSessions } from './driver/sessions/two-at-once.ts';
import { twoCompactions } from './driver/sessions/two-compactions.ts';
import { agentTranscripts, readTranscript } from './driver/transcripts.ts';

/** Plays a session in a sandbox that ends with the test. */
function playOnce(session: Session): Promise<Played> {
  const sandbox = createSandbox(PROJECT_COMMANDS);
  onTestFinished(() => sandbox.dispose());
  return play(sandbox, session);
}

describe.runIf(clientIsHere())('the real client on the scripted model', () => {
  it('tells the calls of sub-agents from those of the main loop', async () => {
    const { runs, requests, hooks, home } = await playOnce(subAgentSession);
    const uses = toolUses(requests);
    const outcomes = outcomesSeenByModel(requests);

    expect(outcomesInHooks(hooks)).toEqual(outcomes);
    expect(outcomesInTranscripts(everyRecord(home))).toEqual(outcomes);
    expect(ofEvent(hooks, 'SubagentStart')).toHaveLength(3);
    expect(agentTranscripts(home, runs[0]!.sessionId)).toHaveLength(3);
    for (const marker of Object.values(AGENT_MARKERS)) {
      const ids = uses.filter(({ agent }) => agent === marker).map(({ id }) => id);
      const calls = ofEvent(hooks, 'PreToolUse').filter(({ tool_use_id = '' }) =>
        ids.includes(tool_use_id),
      );
      const [agentId, ...others] = new Set(calls.map(({ agent_id }) => agent_id));
      expect(calls).toHaveLength(ids.length);
      expect(others).toEqual([]);
      const file = agentTranscripts(home, runs[0]!.sessionId).find((path) =>
        path.includes(agentId!),
      );
      const own = readTranscript(file!);
      expect(own.every((record) => record.isSidechain ?? record.type.startsWith('api-'))).toBe(
        true,
      );
      expect(outcomesInTranscripts(own).map((line) => line.split(' ')[0])).toEqual(ids.sort());
    }
    const ofMain = ofEvent(hooks, 'PreToolUse').filter(({ agent_id }) => agent_id === undefined);
    expect(ofMain.map(({ tool_name }) => tool_name)).toEqual(['Agent', 'Agent', 'Agent']);
  });

  it('keeps two sessions in one project at once apart', async () => {
    const { runs, hooks } = await playOnce(twoSessions);
    const [a, b] = runs as [ClientRun, ClientRun];

    expect(a.sessionId).not.toBe(b.sessionId);
    for (const { sessionId, requests, transcript } of [a, b]) {
      const own = hooks.filter(({ session_id }) => session_id === sessionId);
      const outcomes = outcomesSeenByModel(requests);
      expect(outcomesInHooks(own)).toEqual(outcomes);
      expect(outcomesInTranscripts(readTranscript(transcript!))).toEqual(outcomes);
      expect(ofEvent(own, 'UserPromptSubmit').map(({ prompt }) => prompt)).toEqual(
        userPrompts(requests),
      );
    }
    const firstEnd = hooks.findIndex(({ hook_event_name }) => hook_event_name === 'SessionEnd');
    const lastStart = hooks.findLastIndex(
      ({ hook_event_name }) => hook_event_name === 'SessionStart',
    );
    expect(lastStart).toBeLessThan(firstEnd);
  });

  it('goes on after it was killed in mid-turn', async () => {
    const { runs, requests, hooks } = await playOnce(killedClient);

    const ends = runs.map(({ signal }) => signal);
    expect(ends).toEqual(['SIGKILL', 'SIGKILL', 'SIGKILL', null]);
    expect(new Set(runs.map(({ sessionId }) => sessionId)).size).toBe(1);
    expect(ofEvent(hooks, 'SessionEnd')).toHaveLength(1);
    expect(userPrompts(requests)).toEqual(
      ofEvent(hooks, 'UserPromptSubmit').map(({ prompt }) => prompt),
    );
    const called = toolUses(requests).map(({ id, name }) => `${id} ${name}`);
    const open = outcomesInHooks(hooks).filter((line) => line.endsWith('open'));
    expect(open.sort()).toEqual([`${called[1]} open`, `${called[2]} open`].sort());
    // The client tells the model that it does not know how the second command ended.
    const interrupted = toolResults(requests).find(({ toolUseId }) =>
      called[2]?.startsWith(toolUseId),
    );
    expect(interrupted).toMatchObject({
      isError: true,
      text: expect.stringContaining('interrupted'),
    });
  });

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
