import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { status } from '../../src/status/status.ts';
import { ben10 } from '../cli/support.ts';
import { openTestProject, scratch } from '../support.ts';
import { LiveSession } from './live-session.ts';

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
      const replayed = JSON.parse(ben10(dir, ['replay', id, '--json']).stdout) as {
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
