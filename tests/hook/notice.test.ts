import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratch } from '../support.ts';
import { hooked } from './run-hook.ts';

interface Answer {
  systemMessage?: string;
  hookSpecificOutput?: { additionalContext: string };
}

/** A session that worked, and the answers to what comes after it. */
async function worked() {
  const dir = scratch();
  const hook = async (event: string, fields: object): Promise<Answer> => {
    const out = await hooked(dir, event, { ...fields });
    return out.startsWith('{') ? JSON.parse(out) : {};
  };
  const first = await hook('SessionStart', { source: 'startup', session_id: 'one' });
  await hook('UserPromptSubmit', {
    session_id: 'one',
    prompt_id: 'p1',
    prompt: 'Never use globals. Always write ISO dates. Add due dates to the list.',
  });
  return { dir, hook, first };
}

describe('the line for the user at a session’s start', () => {
  const ends = { session_id: 'one', reason: 'exit' };

  it('counts what was given back, and is not there where nothing was', async () => {
    const { hook, first } = await worked();
    expect(first.systemMessage).toBeUndefined();
    await hook('SessionEnd', ends);
    const next = await hook('SessionStart', { source: 'startup', session_id: 'two' });
    expect(next.systemMessage).toMatch(/^ben10: 2 rules, 1 more, \d+ tokens$/);
    expect(next.hookSpecificOutput!.additionalContext).toContain('Never use globals.');
    const resumed = await hook('SessionStart', { source: 'resume', session_id: 'one' });
    expect(resumed).toEqual({});
  });

  it('comes once a compaction, with its start', async () => {
    const { hook } = await worked();
    const about = { session_id: 'one', trigger: 'manual' };
    await hook('PreCompact', about);
    const start = await hook('SessionStart', { ...about, source: 'compact' });
    expect(start.systemMessage).toMatch(/^ben10: .*\d+ tokens$/);
    const prompt = { session_id: 'one', prompt: 'Next.', prompt_id: 'p2' };
    expect((await hook('UserPromptSubmit', prompt)).systemMessage).toBeUndefined();
  });

  it('is turned off by a setting', async () => {
    const { dir, hook } = await worked();
    await hook('SessionEnd', ends);
    writeFileSync(path.join(dir, '.ben10/config.yaml'), 'recall:\n  notice: false\n');
    const next = await hook('SessionStart', { source: 'startup', session_id: 'two' });
    expect(next.systemMessage).toBeUndefined();
    expect(next.hookSpecificOutput!.additionalContext).toContain('Never use globals.');
  });
});
