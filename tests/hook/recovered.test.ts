/** @module-tag long */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { context } from '../../src/projections/folds/context.ts';
import { status } from '../../src/status/status.ts';
import { here } from '../cli/support.ts';
import { killServer } from '../mcp/processes.ts';
import {
  activeSegment,
  eventsOf,
  hookArgs,
  INITIALIZE,
  rawServer,
  toolCall,
  toolUseIds,
} from '../mcp/support.ts';
import { openTestProject, scratch } from '../support.ts';
import { imported, testProject, transcript } from '../timetravel/project.ts';
import { LiveSession } from './live-session.ts';
import { toolCall as called, hooked, runHook } from './run-hook.ts';

const KILLER = path.resolve(import.meta.dirname, '../crash/killed-node-fs.cjs');

type Json = Record<string, unknown>;

async function hook(dir: string, event: string, session: string, fields: Json = {}): Promise<Json> {
  // The other line for the user would stand beside it.
  const env = { BEN10_RECALL_NOTICE: 'false' };
  const stdout = await hooked(dir, event, { session_id: session, ...fields }, env);
  return stdout === '' ? {} : (JSON.parse(stdout) as Json);
}

const start = (dir: string, session: string, source = 'startup') =>
  hook(dir, 'SessionStart', session, { source });

async function work(dir: string, session: string): Promise<void> {
  await start(dir, session);
  await hook(dir, 'UserPromptSubmit', session, {
    prompt: `Work on ${session}.`,
    prompt_id: session,
  });
}

/** A session whose hooks go to a server, which is killed in the middle of it together with all that it had begun. */
async function killed(dir: string, session: string, calls: number): Promise<void> {
  await work(dir, session);
  const server = rawServer(dir);
  server.send(INITIALIZE);
  for (let n = 1; n <= calls; n += 1) {
    const args = hookArgs('PreToolUse', `${session}-${n}`, { session_id: session, cwd: dir });
    server.send(toolCall(n, 'ben10_record', args));
  }
  await server.answer(calls);
  killServer(server.child.pid!);
  await server.ended;
}

/** A session whose last hook is killed when half of its event is in the journal. */
async function killedInAHook(dir: string, session: string): Promise<void> {
  await work(dir, session);
  const report = path.join(dir, 'calls.json');
  const call = (id: string, place: { kind: string; nth: number; when: string } | null) => {
    const how = { root: path.join(dir, '.ben10'), place, report };
    const env = { NODE_OPTIONS: `--require=${KILLER}`, BEN10_KILL: JSON.stringify(how) };
    return runHook(dir, 'PreToolUse', { ...called(id), session_id: session }, env);
  };
  expect(await call('whole', null)).toMatchObject({ code: 0 });
  const calls = JSON.parse(readFileSync(report, 'utf8')) as string[];
  const kind = calls.find((one) => /^writeSync journal\/.*\.b10$/.test(one)) ?? '';
  expect(kind).not.toBe('');
  const before = readFileSync(activeSegment(dir)).length;
  expect(await call('half', { kind, nth: 1, when: 'halfway' })).toMatchObject({ code: null });
  expect(readFileSync(activeSegment(dir)).length).toBeGreaterThan(before);
}

describe('the start of a session behind one that was killed', () => {
  it('says what was recovered of it: which, when, and how much since its newest checkpoint', async () => {
    const dir = scratch();
    await killed(dir, 'aaaa1111-killed', 5);
    const { systemMessage, hookSpecificOutput } = await start(dir, 'bbbb2222');
    expect(systemMessage).toMatch(
      /^ben10: session aaaa1111 did not end; its last activity was at 20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d \(it was killed, or is open elsewhere\)\. All of it up to event @7 was recovered from the journal, from 6 events; it has no checkpoint yet\. To see it: ben10 replay @session:aaaa1111:end$/,
    );
    // What goes to the model is what it always was.
    expect(hookSpecificOutput).toMatchObject({ hookEventName: 'SessionStart' });
    expect(JSON.stringify(hookSpecificOutput)).toContain('Work on aaaa1111-killed.');
    expect(status(openTestProject(dir)).cutOff).toMatchObject({
      session: 'aaaa1111-killed',
      seq: 7,
    });
    expect((await here(dir, ['status'])).stdout).toMatch(
      /cut off +session aaaa1111 at .* \(or still open elsewhere\); recovered up to @7/,
    );
  });

  it('says it of one whose hook was killed in the middle of its write, and goes on behind it', async () => {
    const dir = scratch();
    await killedInAHook(dir, 'aaaa1111-killed');
    const { systemMessage } = await start(dir, 'bbbb2222');
    expect(systemMessage).toMatch(
      /^ben10: session aaaa1111 did not end; its last activity was at .*All of it up to event @3 was recovered from the journal, /,
    );
    expect((await here(dir, ['status'])).stdout).toMatch(
      /cut off +session aaaa1111 at .* \(or still open elsewhere\); recovered up to @3/,
    );
    const ids = toolUseIds(eventsOf(dir), 'tool.called');
    expect(ids).toEqual(['whole']);
    expect((await here(dir, ['verify'])).status).toBe(0);
  });

  it('tells how far it was recovered from its transcript, and since which checkpoint', async () => {
    const dir = scratch();
    const killed = new LiveSession(dir);
    await killed.start();
    for (let turn = 1; turn <= 4; turn += 1) {
      await killed.prompt(`Do step ${turn}.`);
      for (let n = 1; n <= 3; n += 1) killed.say(`Step ${turn}, part ${n}.`);
      await killed.stop();
    }
    await killed.prompt('Do the last step.');
    killed.say('Half way.');
    const { systemMessage } = await start(dir, 'bbbb2222');
    const [, upto, events, stored] =
      /up to event @(\d+) was recovered from the journal, with (\d+) events since its checkpoint @(\d+)\./
        .exec(String(systemMessage))!
        .map(Number);
    const project = openTestProject(dir);
    expect(status(project).cutOff).toMatchObject({ seq: upto });
    expect(stored).toBeGreaterThan(0);
    const last = project.states.at(context, killed.id).seq;
    expect(project.states.newerThanStored(context, killed.id)).toEqual({ stored, events, last });
    expect(upto).toBeGreaterThanOrEqual(last);
    expect(events).toBeLessThanOrEqual(upto! - stored!);
    const said = project.states.facts(killed.id, ['message.recorded']).map(({ fact }) => fact.seq);
    expect(upto).toBeGreaterThanOrEqual(Math.max(...said));
  });

  it('brings in what its transcript still holds, unless it goes on in the process of another session', async () => {
    const dir = scratch();
    const killed = new LiveSession(dir);
    await killed.start();
    await killed.prompt('Do the last step.');
    killed.say('Half way.');
    const said = () => openTestProject(dir).states.facts(killed.id, ['message.recorded']).length;
    await start(dir, 'bbbb2222', 'compact');
    expect(said()).toBe(0);
    await start(dir, 'bbbb2222');
    expect(said()).toBe(1);
  });

  it('says it once: the start after it has nothing to tell', async () => {
    const dir = scratch();
    await killed(dir, 'aaaa', 1);
    await work(dir, 'bbbb');
    await hook(dir, 'SessionEnd', 'bbbb', { reason: 'exit' });
    expect(await start(dir, 'cccc')).not.toHaveProperty('systemMessage');
    await hook(dir, 'UserPromptSubmit', 'cccc', { prompt: 'Go on.', prompt_id: 'c' });
    expect(status(openTestProject(dir)).cutOff).toBeNull();
  });

  it('says nothing of one that ended', async () => {
    const dir = scratch();
    await work(dir, 'aaaa');
    await hook(dir, 'Stop', 'aaaa');
    await hook(dir, 'SessionEnd', 'aaaa', { reason: 'exit' });
    expect(await start(dir, 'bbbb')).not.toHaveProperty('systemMessage');
    expect(await start(dir, 'aaaa', 'resume')).not.toHaveProperty('systemMessage');
    expect(status(openTestProject(dir)).cutOff).toBeNull();
  });

  it('says nothing of one in which nothing was done, nor when the same process goes on', async () => {
    const dir = scratch();
    await start(dir, 'aaaa');
    expect(await start(dir, 'bbbb')).not.toHaveProperty('systemMessage');
    await work(dir, 'cccc');
    expect(await start(dir, 'cccc', 'compact')).not.toHaveProperty('systemMessage');
    expect(await start(dir, 'dddd', 'clear')).not.toHaveProperty('systemMessage');
  });

  it('says it of the session itself when that is resumed, each time that it was killed', async () => {
    const dir = scratch();
    await killed(dir, 'aaaa1111-killed', 2);
    for (const seq of [4, 6]) {
      const { systemMessage } = await start(dir, 'aaaa1111-killed', 'resume');
      expect(systemMessage).toMatch(
        /^ben10: session aaaa1111 did not end; its last activity was at \S+\. /,
      );
      expect(systemMessage).not.toContain('elsewhere');
      await hook(dir, 'UserPromptSubmit', 'aaaa1111-killed', {
        prompt: 'Go on.',
        prompt_id: `p${seq}`,
      });
    }
    await hook(dir, 'SessionEnd', 'aaaa1111-killed', { reason: 'exit' });
    expect(await start(dir, 'aaaa1111-killed', 'resume')).not.toHaveProperty('systemMessage');
  });

  it('says it of each of two that were killed at once', async () => {
    const dir = scratch();
    await work(dir, 'aaaa');
    await killed(dir, 'bbbb', 1);
    await hook(dir, 'UserPromptSubmit', 'aaaa', { prompt: 'More.', prompt_id: 'a2' });
    const { systemMessage } = await start(dir, 'cccc');
    expect(systemMessage).toMatch(/^ben10: session bbbb .*\nben10: session aaaa .*$/);
  });

  it('does not take imported sessions, which never tell their end, for killed ones', async () => {
    const dir = scratch();
    imported(testProject({ dir }), transcript('claude-2.1.329-real-todo-app/transcript.jsonl'));
    expect(await start(dir, 'bbbb')).not.toHaveProperty('systemMessage');
  });

  it('is told also where nothing is given back to the model', async () => {
    const dir = scratch();
    await killed(dir, 'aaaa', 1);
    writeFileSync(path.join(dir, '.ben10/config.yaml'), 'context:\n  autoRestore: false\n');
    const told = await start(dir, 'bbbb');
    expect(Object.keys(told)).toEqual(['systemMessage']);
  });
});
