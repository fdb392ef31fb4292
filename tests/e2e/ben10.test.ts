import { describe, expect, it } from 'vitest';
import { clientIsHere } from './driver/client-install.ts';
import { descendantsOf, signal } from './driver/processes.ts';
import { wholeText } from './driver/requests.ts';
import { type ClientRun, runClient } from './driver/run-client.ts';
import type { Sandbox } from './driver/sandbox.ts';
import type { Step } from './driver/scenario.ts';
import { check, read } from './driver/sessions/calls.ts';
import { subAgentSession } from './driver/sessions/sub-agents.ts';
import { twoSessions } from './driver/sessions/two-at-once.ts';
import { twoCompactions } from './driver/sessions/two-compactions.ts';
import { workingSession } from './driver/sessions/working.ts';
import {
  ben10,
  installed,
  logOf,
  longestWait,
  ofType,
  recorded,
  repeated,
  witnessed,
} from './support/recorded.ts';

/** No tool call may be held up by ben10 for longer, milliseconds. */
const HOLD_UP_MS_MAX = 5000;

/** After a compaction the client itself lists every tool that was called, also those that its hooks called. */
const TOOLS_USED = /<tools-used-before-summary>.*?<\/tools-used-before-summary>/g;

const requestsOf = (runs: ClientRun[]) => runs.flatMap(({ requests }) => requests);

/** A conversation that nobody can tell from one without ben10, and a journal that has all of it once. */
function expectRecordedWhole(sandbox: Sandbox, runs: ClientRun[]): void {
  const log = logOf(sandbox);
  expect(recorded(log)).toEqual(witnessed(requestsOf(runs)));
  expect(repeated(log)).toEqual([]);
  expect(JSON.parse(ben10(sandbox, 'verify', '--json'))).toMatchObject({ ok: true, damage: [] });
  for (const { requests, stderr } of runs) {
    expect(longestWait(requests)).toBeLessThan(HOLD_UP_MS_MAX);
    expect(stderr).not.toContain('ben10');
    for (const request of requests) {
      expect(wholeText(request).replace(TOOLS_USED, '')).not.toMatch(
        /hook (?:error|failed)|ben10_record/i,
      );
    }
  }
}

describe.runIf(clientIsHere())('ben10 in a real client', () => {
  it('records a working session whole: prompts, calls, failures, tasks, a compaction, a resume', async () => {
    const sandbox = installed();
    const runs = await workingSession(sandbox);
    expectRecordedWhole(sandbox, runs);
    const replay = JSON.parse(
      ben10(sandbox, 'replay', '--json', '--projection', 'tasks', '--session', runs[0]!.sessionId),
    );
    expect(Object.keys(replay.state.tasks).length).toBeGreaterThan(0);
  });

  it('gives back after a compaction what the session held, in the very next request, and has a snapshot of before it', {
    tags: 'long',
  }, async () => {
    const sandbox = installed();
    const runs = await twoCompactions(sandbox);
    expectRecordedWhole(sandbox, runs);
    const requests = requestsOf(runs);
    const compactions = requests.flatMap(({ kind }, index) =>
      kind === 'compaction' ? [index] : [],
    );
    expect(compactions).toHaveLength(2);
    for (const index of compactions) {
      const next = requests.slice(index + 1).find(({ kind }) => kind === 'main')!;
      expect(wholeText(next)).toContain('<ben10-recall-');
      expect(wholeText(next)).toContain('Never use a library for them.');
      expect(wholeText(next)).toContain('check.sh');
    }
    const log = logOf(sandbox);
    expect(ofType(log, 'compaction.finished')).toHaveLength(2);
    expect(
      ofType(log, 'recall.injected').filter(({ data }) => data.source === 'compact'),
    ).toHaveLength(2);
    const { snapshots } = JSON.parse(ben10(sandbox, 'snapshot', 'list', '--json'));
    expect(snapshots).toMatchObject([{ trigger: 'manual' }, { trigger: 'threshold' }]);
    const oldest = snapshots.at(-1);
    expect(oldest.session).toBe(runs[0]!.sessionId);
    const restored = ben10(sandbox, 'snapshot', 'restore', oldest.id.slice(0, 8));
    expect(restored).toContain('Never use a library for them.');
    expect(restored).toContain('check.sh');
    // It is the state of then: the task came after that compaction.
    expect(restored).not.toContain('Add due dates (ISO dates)');
  });

  it("keeps sub-agents' work apart from the main thread's", { tags: 'long' }, async () => {
    const sandbox = installed();
    const runs = await subAgentSession(sandbox);
    expectRecordedWhole(sandbox, runs);
    const called = ofType(logOf(sandbox), 'tool.called');
    expect(called.filter(({ agent }) => agent === null).map(({ data }) => data.name)).toEqual([
      'Agent',
      'Agent',
      'Agent',
    ]);
    expect(new Set(called.map(({ agent }) => agent)).size).toBe(4);
  });

  it('keeps two sessions in one project at once apart', { tags: 'long' }, async () => {
    const sandbox = installed();
    const runs = await twoSessions(sandbox);
    expectRecordedWhole(sandbox, runs);
    for (const { sessionId, requests } of runs) {
      const own = logOf(sandbox).filter(({ session }) => session === sessionId);
      expect(recorded(own)).toEqual(witnessed(requests));
    }
  });

  it.each([
    ['is killed', 'SIGKILL'],
    ['hangs', 'SIGSTOP'],
  ] as const)(
    'misses nothing when its server %s in mid-session',
    { tags: 'long' },
    async (_, name) => {
      const sandbox = installed();
      const steps: Step[] = [
        { text: 'I read.', tools: [read('src/todo.js')] },
        { text: 'I check.', tools: [check] },
        { text: 'I read again.', tools: [read('README.md')] },
        { text: 'Done.' },
      ];
      const hit: number[] = [];
      const run = await runClient(sandbox, {
        prompt: 'Look around. Always say what you see.',
        scenario: { steps },
        onRequest(request, client) {
          if (request.kind !== 'main' || hit.length > 0 || client.requests.length < 2) return;
          for (const server of descendantsOf(client.pid, 'ben10.cjs serve')) {
            if (signal(server.pid, name)) hit.push(server.pid);
          }
        },
      });
      expect(hit.length).toBeGreaterThan(0);
      expect(run.exitCode).toBe(0);
      expectRecordedWhole(sandbox, [run]);
    },
  );
});
