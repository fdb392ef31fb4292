import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ben10, cleanEnv, emptyProject, inMemory, json, PROGRAM, SESSIONS } from '../support.ts';

interface Lost {
  compaction: { point: string; summaryChars: number };
  kept: number;
  lost: number;
  givenBack: number;
  used: number;
  items: {
    fate: string;
    kind: string;
    text: string;
    seq: number;
    missing: string[];
    givenBack: number | null;
    used: string[];
  }[];
}

/** A project in which a session of the real client was compacted twice. */
function compacted(): string {
  const dir = emptyProject();
  const run = ben10(dir, ['import', '--here', path.join(SESSIONS, 'two-compactions/projects')]);
  expect(run.status).toBe(0);
  return dir;
}

const lost = async (dir: string, ...args: string[]): Promise<Lost> =>
  json<Lost>(await inMemory(dir, ['lost', ...args, '--json']));

describe('ben10 lost', () => {
  it('lists every item with its fate, the most valuable first, and counts them', async () => {
    const dir = compacted();
    const found = await lost(dir);
    expect(found.compaction.point).toBe('@compaction:-1');
    expect(found.compaction.summaryChars).toBeGreaterThan(100);
    expect(found.kept + found.lost).toBe(found.items.length);
    const rule = found.items.find(({ text }) => text === 'Never use a library for them.');
    expect(rule).toMatchObject({ fate: 'lost', kind: 'rule', givenBack: null, used: [] });
    const { stdout } = await inMemory(dir, ['lost']);
    expect(stdout).toContain(`${found.kept} kept, ${found.lost} lost or in part`);
    expect(stdout).toMatch(
      /^lost {5}rule {8}@\d+ \d+(?:mo|[mhdy]) Never use a library for them\.$/m,
    );
  });

  it('knows any compaction by its number, as it stands in points', async () => {
    const dir = compacted();
    const first = await lost(dir, '@compaction:-2');
    expect(first.compaction.point).toBe('@compaction:-2');
    expect(first).toEqual({
      ...(await lost(dir, '1')),
      compaction: { ...first.compaction, point: expect.any(String) },
    });
    const wrong = await inMemory(dir, ['lost', '@prompt:-1']);
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('USAGE') });
    expect((await inMemory(dir, ['lost', '@compaction:-3'])).stderr).toContain('POINT_NOT_FOUND');
  });

  it('says what was given back, by which event, and what of that the agent used afterwards', {
    tags: 'long',
    timeout: 60_000,
  }, async () => {
    const dir = emptyProject();
    const hook = (event: string, input: Record<string, unknown>): void => {
      const run = spawnSync(process.execPath, [PROGRAM, 'hook', event], {
        input: JSON.stringify({ session_id: 's', cwd: dir, hook_event_name: event, ...input }),
        cwd: dir,
        env: cleanEnv(path.join(dir, 'no-home'), { CLAUDE_PROJECT_DIR: dir }),
        encoding: 'utf8',
      });
      expect(run).toMatchObject({ status: 0, stderr: '' });
    };
    const bash = (command: string, error?: string): void => {
      const call = { tool_name: 'Bash', tool_use_id: command, tool_input: { command } };
      hook('PreToolUse', call);
      if (error === undefined) hook('PostToolUse', { ...call, tool_response: { stdout: 'ok' } });
      else hook('PostToolUseFailure', { ...call, error });
    };
    hook('UserPromptSubmit', { prompt: 'Never use a library for dates.', prompt_id: 'p1' });
    bash('sh tools/check.sh', 'Exit code 3\nError: port 5433 is taken');
    hook('PreCompact', { trigger: 'manual' });
    hook('SessionStart', { source: 'compact' });
    const compact_summary = 'The user: Never use a library for dates. A check failed.';
    hook('PostCompact', { trigger: 'manual', compact_summary });
    const before = await lost(dir);
    const check = (found: Lost) => found.items.find(({ kind }) => kind === 'error')!;
    expect(before.items.find(({ kind }) => kind === 'rule')).toMatchObject({ fate: 'kept' });
    expect(check(before)).toMatchObject({
      fate: 'lost',
      givenBack: expect.any(Number),
      used: [],
    });
    bash('sh tools/check.sh --port 5433');
    const after = await lost(dir);
    expect(check(after).used).toEqual(expect.arrayContaining(['tools/check.sh', '5433']));
    expect(after.used).toBeGreaterThan(0);
  });
});
