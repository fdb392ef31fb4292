/** @module-tag long */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { context } from '../../src/projections/folds/context.ts';
import { evidence } from '../../src/projections/folds/evidence.ts';
import { status } from '../../src/status/status.ts';
import { here, PROGRAM } from '../cli/support.ts';
import { hookArgs, INITIALIZE, rawServer, toolCall } from '../mcp/support.ts';
import { openTestProject, scratch } from '../support.ts';
import { LiveSession } from './live-session.ts';
import { hooked } from './run-hook.ts';

const TURNS = 4;

/** Turns of three messages each, as fast as the hooks can. */
async function lived(settings: string): Promise<string> {
  const dir = scratch();
  mkdirSync(path.join(dir, '.ben10'), { mode: 0o700 });
  writeFileSync(path.join(dir, '.ben10/config.yaml'), settings, { mode: 0o600 });
  const session = new LiveSession(dir);
  await session.start();
  for (let turn = 1; turn <= TURNS; turn += 1) {
    await session.prompt(`Do step ${turn}.`);
    session.say(`Step ${turn} is being done.`);
    session.say(`Step ${turn} is done.`);
    await session.stop();
  }
  return dir;
}

const checkpointsIn = (dir: string) => status(openTestProject(dir)).checkpoints;

describe('checkpoints of a session that lives', () => {
  it('roll with every so many messages as the setting says, each with as many as a replay has there', async () => {
    const dir = await lived('context:\n  checkpointInterval: 3\n');
    const checkpoints = checkpointsIn(dir);
    expect(checkpoints.map(({ messageCount }) => messageCount)).toEqual([12, 9, 6, 3]);
    for (const { id, messageCount } of checkpoints) {
      const replayed = JSON.parse((await here(dir, ['replay', id, '--json'])).stdout) as {
        state: { conversation: { messageCount: number } };
      };
      expect(replayed.state.conversation.messageCount).toBe(messageCount);
    }
  });

  it('are fewer where the setting says more messages, and go where it says how many are kept', async () => {
    const dir = await lived('context:\n  checkpointInterval: 6\n');
    expect(checkpointsIn(dir).map(({ messageCount }) => messageCount)).toEqual([12, 6]);
  });
});

const SESSION = 'aaaa1111-killed';
const NOWHERE = '/nowhere/aaaa1111-killed.jsonl';

/** A session that only its hooks tell of: none of them finds a transcript. */
class Untold {
  readonly dir = scratch();

  hook(event: string, fields: object = {}, session = SESSION): Promise<string> {
    const about = { session_id: session, transcript_path: NOWHERE, ...fields };
    return hooked(this.dir, event, about);
  }

  /** Killed after a while, in the middle of whatever that is. */
  async killedHook(event: string, afterMs: number, fields: object = {}): Promise<void> {
    const env = { ...process.env, CLAUDE_PROJECT_DIR: this.dir };
    const child = spawn(process.execPath, [PROGRAM, 'hook', event], { env, cwd: '/' });
    child.stdin.on('error', () => undefined);
    const about = { session_id: SESSION, transcript_path: NOWHERE, cwd: this.dir };
    child.stdin.end(JSON.stringify({ ...about, hook_event_name: event, ...fields }));
    const killer = setTimeout(() => child.kill('SIGKILL'), afterMs);
    await once(child, 'close');
    clearTimeout(killer);
  }

  /** @param call tells what a tool gave back */
  async turns(count: number, call: (n: number) => Promise<unknown>): Promise<void> {
    await this.hook('SessionStart', { source: 'startup' });
    for (let n = 1; n <= count; n += 1) {
      await this.hook('UserPromptSubmit', { prompt: `Do step ${n}.`, prompt_id: `p${n}` });
      await call(n);
      await this.hook('Stop', { last_assistant_message: `Step ${n} is done.` });
    }
  }
}

/** Of a session that was killed: each stored state, what the next start says, and what there is to fold. */
async function expectRolled(session: Untold, turns: number, messagesOfOne: number): Promise<void> {
  const { dir } = session;
  const { checkpoints } = JSON.parse((await here(dir, ['status', '--json'])).stdout) as {
    checkpoints: { id: string; messageCount: number }[];
  };
  // A turn has a prompt and the agent's last words. It is settled by the end of the next one, which a checkpoint there tells as well.
  const counts = [];
  for (let turn = 6; turn <= turns; turn += 5) counts.unshift(turn * messagesOfOne);
  expect(checkpoints.map(({ messageCount }) => messageCount)).toEqual(counts);
  const { stored, events } = openTestProject(dir).states.newerThanStored(context, SESSION);
  expect(`@${stored}`).toBe(checkpoints[0]!.id);
  const { systemMessage } = JSON.parse(
    await session.hook('SessionStart', { source: 'startup' }, 'bbbb2222'),
  ) as { systemMessage: string };
  expect(systemMessage).toMatch(/^ben10: session aaaa1111 did not end; /);
  expect(systemMessage).toContain(`with ${events} events since its checkpoint @${stored}.`);
  // Ten messages with their calls at the most, and the two turns that were not settled.
  const { states } = openTestProject(dir);
  expect(states.at(context, SESSION).folded).toBeLessThan(40);
  expect(states.at(evidence, SESSION).folded).toBeLessThan(150);
}

describe('checkpoints of a session that has no transcript', () => {
  const tool = (n: number) => ({
    tool_name: 'Bash',
    tool_use_id: `toolu_${n}`,
    tool_input: { command: `echo ${n}` },
    tool_response: { stdout: `${n}`, stderr: '' },
  });

  it('roll with every ten messages, and what was killed in between is folded from the newest', async () => {
    const session = new Untold();
    const turns = 27;
    await session.turns(turns, async (n) => {
      await session.hook('PostToolUse', tool(n));
      if (n % 9 === 0) await session.killedHook('PostToolUse', 5 * n, tool(100 + n));
    });
    await session.hook('UserPromptSubmit', { prompt: 'And this?', prompt_id: 'last' });
    await session.killedHook('Stop', 60);
    // The call that comes with its outcome is one more.
    await expectRolled(session, turns, 3);
  });

  it('roll where a server takes the calls, and is killed with all of it', async () => {
    const session = new Untold();
    const { dir } = session;
    const server = rawServer(dir);
    server.send(INITIALIZE);
    const turns = 12;
    await session.turns(turns, async (n) => {
      for (const event of ['PreToolUse', 'PostToolUse']) {
        const about = { session_id: SESSION, transcript_path: NOWHERE, cwd: dir };
        const id = `${event} ${n}`;
        server.send(toolCall(id, 'ben10_record', hookArgs(event, n, about)));
        await server.answer(id);
      }
    });
    server.child.kill('SIGKILL');
    await once(server.child, 'close');
    // The call is one, too: nobody said anything with it.
    await expectRolled(session, turns, 3);
  });
});
