import { describe, expect, it } from 'vitest';
import { STEERING_CHARS } from '../../src/recall/steering.ts';
import { eventsOf } from '../mcp/support.ts';
import { scratch } from '../support.ts';
import { runHook } from './run-hook.ts';

type Json = Record<string, unknown>;
const CLIENT = { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 's' };

/** A client's session in a folder of its own: real hook processes. */
function client(env: Record<string, string> = CLIENT) {
  const dir = scratch();
  const hook = async (event: string, fields: Json = {}): Promise<string> => {
    const input = { hook_event_name: event, session_id: 's', cwd: dir, ...fields };
    const run = await runHook(dir, event, input, env);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    return run.stdout;
  };
  const prompt = (prompt: string, id: string) =>
    hook('UserPromptSubmit', { prompt, prompt_id: id });
  const fails = async (command: string, error: string) => {
    const call = { tool_name: 'Bash', tool_use_id: command, tool_input: { command } };
    await hook('PreToolUse', call);
    await hook('PostToolUseFailure', { ...call, error });
  };
  const compacts = () => hook('PreCompact', { trigger: 'manual' });
  return { dir, hook, prompt, fails, compacts };
}

describe('what a compaction is told to keep', () => {
  it('is the rules, errors and figures of the session, as plain text, and an event says so', async () => {
    const { dir, prompt, fails, compacts } = client();
    await prompt('Never use a library for dates. The import is capped at 473 MB.', 'p1');
    await fails('npm run check', 'Exit code 3\nError: no such table: invoices');
    const text = await compacts();
    expect(text).not.toMatch(/^\s*\{/);
    expect(text).toContain('Never use a library for dates.');
    expect(text).toContain('`npm run check` → exit 3: Error: no such table: invoices');
    expect(text).toContain('The import is capped at 473 MB.');
    const events = eventsOf(dir).filter(({ type }) => type === 'recall.injected');
    expect(events).toHaveLength(1);
    expect(events[0]!.data).toMatchObject({ event: 'PreCompact', chars: text.length });
  });

  it('takes nothing from what the session is given back after it', async () => {
    const { hook, prompt, compacts } = client();
    await prompt('Never use a library for dates.', 'p1');
    await compacts();
    const start = await hook('SessionStart', { source: 'compact' });
    expect(start).toContain('Never use a library for dates.');
  });

  it('is short, the most valuable first, however much there is', async () => {
    const { prompt, compacts } = client();
    for (let n = 0; n < 40; n += 1)
      await prompt(
        `Never touch the folder part${n}, it belongs to team${n} and its own tools.`,
        `p${n}`,
      );
    const text = await compacts();
    expect(text.length).toBeLessThanOrEqual(STEERING_CHARS);
    expect(text.length).toBeGreaterThan(STEERING_CHARS - 300);
    expect(text).toContain('part39');
  }, 60_000);

  it('is no secret', async () => {
    const { prompt, compacts } = client();
    await prompt('Always use the token ghp_16C7e42F292c6912E7710c838347Ae178B4a for pushes.', 'p1');
    const text = await compacts();
    expect(text).toContain('Always use the token');
    expect(text).not.toContain('ghp_16C7');
  });

  it.each([
    ['another client', {}],
    ['another client in a shell of this one', { ...CLIENT, CLAUDE_CODE_SESSION_ID: 'outer' }],
    ['a user who turned it off', { ...CLIENT, BEN10_RECALL_STEERING: 'false' }],
  ])('is nothing for %s', async (_, env) => {
    const { prompt, compacts, hook } = client({ CLAUDECODE: '', ...env });
    await hook('SessionStart', { source: 'startup' });
    await prompt('Never use a library for dates.', 'p1');
    expect(await compacts()).toBe('');
  });

  it('is nothing where there is nothing to keep', async () => {
    expect(await client().compacts()).toBe('');
  });
});
