import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { STEERING_CHARS } from '../../src/recall/injection.ts';
import { eventsOf } from '../mcp/support.ts';
import { scratch } from '../support.ts';
import { hooked } from './run-hook.ts';

type Json = Record<string, unknown>;
const CLIENT = { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 's' };

/** A client's session in a folder of its own: real hook processes. */
function client(env: Record<string, string> = CLIENT) {
  const dir = scratch();
  const hook = (event: string, fields: Json = {}) => hooked(dir, event, fields, env);
  const prompt = (prompt: string, id: string) =>
    hook('UserPromptSubmit', { prompt, prompt_id: id });
  const fails = async (command: string, error: string) => {
    const call = { tool_name: 'Bash', tool_use_id: command, tool_input: { command } };
    await hook('PreToolUse', call);
    await hook('PostToolUseFailure', { ...call, error });
  };
  const compacts = (trigger = 'manual') => hook('PreCompact', { trigger });
  return { dir, hook, prompt, fails, compacts };
}

describe('what a compaction is told to keep', () => {
  it('is the rules, errors and figures of the session, as plain text, and an event says so', {
    tags: 'long',
  }, async () => {
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

  it('takes nothing from what is given back after a compaction of the client’s own, which does not show it', {
    tags: 'long',
  }, async () => {
    const { hook, prompt, compacts } = client();
    await prompt('Never use a library for dates.', 'p1');
    await compacts('auto');
    const start = await hook('SessionStart', { source: 'compact' });
    expect(start).toContain('Never use a library for dates.');
  });

  it('is short, the most valuable first, however much there is', {
    tags: 'long',
    timeout: 60_000,
  }, async () => {
    const { hook, prompt, compacts } = client();
    for (let n = 0; n < 40; n += 1)
      await prompt(
        `Never touch the folder part${n}, it belongs to team${n} and its own tools.`,
        `p${n}`,
      );
    // The newest, and worth less.
    for (const name of ['cat', 'ls', 'du']) {
      const command = `${name} ${'docs/'.repeat(80)}`;
      const call = { tool_name: 'Bash', tool_use_id: name, tool_input: { command } };
      await hook('PreToolUse', call);
      await hook('PostToolUse', { ...call, tool_response: { stdout: '12 lines', stderr: '' } });
    }
    const text = await compacts();
    expect(text).not.toMatch(/Commands|docs/);
    expect(text.length).toBeLessThanOrEqual(STEERING_CHARS);
    expect(text.length).toBeGreaterThan(STEERING_CHARS - 300);
    expect(text).toContain('part39');
  });

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

describe('what a compaction by hand was told to keep, which its client shows to the model', () => {
  const RULE = 'Never use a library for dates.';

  /** @param shows what the client writes into the transcript between the compaction and the next prompt */
  async function compactedByHand(shows: (printed: string) => object[], summary = 'We worked.') {
    const { dir, hook, prompt, compacts } = client();
    const file = path.join(dir, 's.jsonl');
    await prompt(RULE, 'p1');
    const file_path = path.join(dir, 'a.ts');
    const tool_input = { file_path, content: 'export const a = 1;\n' };
    const write = { tool_name: 'Write', tool_use_id: 't', tool_input };
    await hook('PreToolUse', write);
    await hook('PostToolUse', { ...write, tool_response: { type: 'create', filePath: file_path } });
    const printed = await compacts();
    const start = await hook('SessionStart', { source: 'compact' });
    await hook('PostCompact', { trigger: 'manual', compact_summary: summary });
    const boundary = { type: 'system', subtype: 'compact_boundary', uuid: 'b', sessionId: 's' };
    const lines = [boundary, ...shows(printed)].map((one) => JSON.stringify(one));
    writeFileSync(file, `${lines.join('\n')}\n`);
    const next = (id: string) =>
      hook('UserPromptSubmit', { prompt: 'Go on.', prompt_id: id, transcript_path: file });
    return { printed, start, next };
  }
  const answer = (printed: string) => [
    {
      type: 'user',
      uuid: 'u1',
      parentUuid: 'b',
      sessionId: 's',
      timestamp: new Date().toISOString(),
      message: {
        role: 'user',
        content: `<local-command-stdout>Compacted\nPreCompact [ben10 hook] completed: ${printed}</local-command-stdout>`,
      },
    },
  ];

  it('is not given again, neither at the session’s start nor with the prompt after it', {
    tags: 'long',
  }, async () => {
    const { printed, start, next } = await compactedByHand(answer);
    expect(printed).toContain(RULE);
    expect(start).toContain('a.ts');
    expect(start).not.toContain(RULE);
    expect(await next('p2')).toBe('');
  });

  it('is given with the prompt where the client did not show it, once', {
    tags: 'long',
  }, async () => {
    const { next } = await compactedByHand(() => []);
    const given = await next('p2');
    expect(given).toContain(RULE);
    expect(given).not.toContain('a.ts');
    expect(await next('p3')).toBe('');
  });

  it('is not given where the summary has it, shown or not', { tags: 'long' }, async () => {
    const { next } = await compactedByHand(() => [], `The user said: ${RULE}`);
    expect(await next('p2')).toBe('');
  });
});
