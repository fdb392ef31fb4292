import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { context } from '../../src/projections/folds/context.ts';
import { openTestProject, scratch } from '../support.ts';
import { hooked } from './run-hook.ts';

/** A session of so many prompts that no hook has told of, and its project. */
function unread(prompts: number) {
  const dir = scratch();
  const transcript = path.join(dir, 's.jsonl');
  const records = Array.from({ length: prompts }, (_, n) => ({
    type: 'user',
    sessionId: 's',
    uuid: `u${n}`,
    parentUuid: n === 0 ? null : `u${n - 1}`,
    timestamp: new Date(1_795_250_000_000 + n * 1000).toISOString(),
    message: { content: n === 0 ? 'never use tabs here' : `prompt ${n}` },
  }));
  writeFileSync(transcript, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  const hook = (event: string, session = 's', fields = {}) =>
    hooked(dir, event, { session_id: session, transcript_path: transcript, ...fields });
  const isStored = () => existsSync(path.join(dir, '.ben10/checkpoints/context'));
  return { dir, hook, isStored };
}

describe('what a session leaves for the next process', () => {
  it('is its context, where its end found little that was new', async () => {
    const { dir, hook, isStored } = unread(150);
    await hook('SessionEnd', 's', { reason: 'exit' });
    expect(isStored()).toBe(true);
    // All of the transcript, which no other hook has read.
    const { conversation, preferences } = openTestProject(dir).states.at(context, 's').state;
    expect(conversation.messageCount).toBe(150);
    expect(preferences.rules).toMatchObject([{ text: 'never use tabs here' }]);
  });

  it('is only what happened, where its end found much, and the next start gives it back', async () => {
    const { hook, isStored } = unread(700);
    await hook('SessionEnd', 's', { reason: 'exit' });
    expect(isStored()).toBe(false);
    const given = await hook('SessionStart', 't', {
      source: 'startup',
      transcript_path: '/nowhere',
    });
    expect(given).toContain('never use tabs here');
    expect(isStored()).toBe(true);
  });

  it('is folded by the end of a turn, not by a start that gives nothing back', async () => {
    const { hook, isStored } = unread(150);
    await hook('SessionStart', 's', { source: 'startup' });
    expect(isStored()).toBe(false);
    await hook('Stop');
    expect(isStored()).toBe(true);
  });
});
