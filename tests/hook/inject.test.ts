import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ben10 } from '../cli/support.ts';
import { HookedSession } from './hooked-session.ts';

describe('what hooks give back around a compaction', () => {
  it('is nothing of the prompt that is being submitted', { tags: 'long' }, async () => {
    const client = new HookedSession();
    await client.hook('SessionStart', { source: 'startup' });
    await client.prompt('Old prompt. Always write ISO dates.', 'p1');
    await client.hook('PreCompact', { trigger: 'manual' });
    const start = await client.hook('SessionStart', { source: 'compact' });
    expect(start).toContain('Old prompt');
    await client.hook('PostCompact', { trigger: 'manual', compact_summary: 'We worked.' });
    expect(await client.prompt('Brand new prompt. Never use globals.', 'p2')).toBe('');
    expect(await client.prompt('And one more.', 'p3')).toBe('');
  });

  it('is what was held before it, also where the transcript told of that later', async () => {
    const client = new HookedSession();
    await client.hook('SessionStart', { source: 'startup' });
    await client.prompt('Old prompt.', 'p1');
    const lagging = [
      client.record({ type: 'user', promptId: 'p1', message: { content: 'Old prompt.' } }),
      ...client.failing('npm run late'),
    ];
    await client.hook('PreCompact', { trigger: 'auto' });
    const start = await client.hook('SessionStart', { source: 'compact' });
    expect(start).toContain('Old prompt.');
    expect(start).not.toContain('npm run late');
    const behind = [
      ...client.compacted('Summary. You must never repeat it.'),
      ...client.failing('npm run younger'),
    ];
    client.write(...lagging, ...behind);
    const rest = await client.prompt('Brand new prompt. Never use globals.', 'p2');
    expect(rest).toContain('`npm run late` → exit 3');
    expect(rest).toContain('More of what it held.');
    for (const other of ['Brand new', 'globals', 'younger', 'Summary', 'Old prompt.'])
      expect(rest).not.toContain(other);
  });

  it('is nothing that the user typed while it was compacted', async () => {
    const client = new HookedSession();
    await client.hook('SessionStart', { source: 'startup' });
    await client.prompt('Old prompt.', 'p1');
    await client.hook('PreCompact', { trigger: 'auto' });
    await client.prompt('Typed meanwhile.', 'p2');
    const start = await client.hook('SessionStart', { source: 'compact' });
    expect(start).toContain('Old prompt.');
    expect(start).not.toContain('Typed meanwhile.');
    expect(await client.prompt('The next.', 'p3')).toBe('');
  });

  it('is of the newest compaction, when there are several', { tags: 'long' }, async () => {
    const client = new HookedSession();
    await client.hook('SessionStart', { source: 'startup' });
    await client.prompt('First prompt.', 'p1');
    await client.hook('PreCompact', { trigger: 'manual' });
    await client.hook('SessionStart', { source: 'compact' });
    await client.prompt('Second prompt.', 'p2');
    await client.hook('PreCompact', { trigger: 'manual' });
    const again = await client.hook('SessionStart', { source: 'compact' });
    expect(again).toContain('First prompt.');
    expect(again).toContain('Second prompt.');
    expect(await client.prompt('Third prompt.', 'p3')).toBe('');
  });
});

describe('what a session’s start gave', () => {
  /** After a compaction, as the client writes it: that the hook ran, and what of it the model was given. */
  async function startedAgain(...types: string[]) {
    const client = new HookedSession();
    await client.hook('SessionStart', { source: 'startup' });
    await client.prompt('Old prompt. Never use globals.', 'p1');
    await client.hook('PreCompact', { trigger: 'manual' });
    const start = await client.hook('SessionStart', { source: 'compact' });
    const attached = types.map((type) =>
      client.record({
        type: 'attachment',
        attachment: { type, hookEvent: 'SessionStart', content: start },
      }),
    );
    client.write(...client.compacted('We worked.'), ...attached);
    return client;
  }

  it('is given with the next prompt when the transcript shows that the hook ran and nothing of it came through', async () => {
    const client = await startedAgain('hook_success');
    const again = await client.prompt('The next.', 'p2');
    expect(again).toContain('Never use globals.');
    expect(await client.prompt('And one more.', 'p3')).toBe('');
  });

  it('is not given again when it came through, or when nothing tells', {
    tags: 'long',
  }, async () => {
    const landed = await startedAgain('hook_success', 'hook_additional_context');
    expect(await landed.prompt('The next.', 'p2')).toBe('');
    const untold = await startedAgain();
    expect(await untold.prompt('The next.', 'p2')).toBe('');
  });
});

describe('a compaction of which the session’s start was not heard', () => {
  /** Its hook was killed, or never ran. */
  async function compactedAlone(isToldByHook: boolean) {
    const client = new HookedSession();
    await client.hook('SessionStart', { source: 'startup' });
    await client.prompt('Never use globals. Always write ISO dates.', 'p1');
    await client.hook('PreCompact', { trigger: 'auto' });
    if (isToldByHook)
      await client.hook('PostCompact', { trigger: 'auto', compact_summary: 'We worked.' });
    client.write(...client.compacted('We worked.'));
    return client;
  }

  it.each([true, false])(
    'is answered with the next prompt, once; with PostCompact: %s',
    async (isToldByHook) => {
      const client = await compactedAlone(isToldByHook);
      const given = await client.prompt('Brand new prompt.', 'p2');
      expect(given).toContain('Never use globals.');
      expect(given).toContain('Always write ISO dates.');
      expect(given).not.toContain('Brand new');
      expect(await client.prompt('And one more.', 'p3')).toBe('');
      const { stdout } = ben10(client.dir, ['lost']);
      expect(stdout).toMatch(/[1-9]\d* given back/);
    },
  );

  it('is answered at its start after all, where that comes before the prompt', {
    tags: 'long',
  }, async () => {
    const client = await compactedAlone(true);
    expect(await client.hook('SessionStart', { source: 'compact' })).toContain(
      'Never use globals.',
    );
    expect(await client.prompt('Brand new prompt.', 'p2')).toBe('');
  });
});

describe('what hooks tell of files that were changed outside of the agent', () => {
  /** A session that wrote two files, which are there. */
  async function worked() {
    const client = new HookedSession();
    await client.hook('SessionStart', { source: 'startup' });
    await client.prompt('Please write two files.', 'p1');
    for (const name of ['a.txt', 'b.txt']) {
      const tool_input = { file_path: path.join(client.dir, name), content: 'one\n' };
      const call = { tool_name: 'Write', tool_use_id: name, tool_input };
      await client.hook('PreToolUse', call);
      writeFileSync(tool_input.file_path, 'one\n');
      await client.hook('PostToolUse', { ...call, tool_response: { type: 'create' } });
    }
    return client;
  }

  it('is nothing on resume when none was, and else the list and the last prompt', async () => {
    const client = await worked();
    expect(await client.hook('SessionStart', { source: 'resume' })).toBe('');
    writeFileSync(path.join(client.dir, 'a.txt'), 'edited elsewhere\n');
    rmSync(path.join(client.dir, 'b.txt'));
    const told = await client.hook('SessionStart', { source: 'resume' });
    expect(told).toMatch(/Changed on disk since .*\n@\d+ a\.txt changed\n@\d+ b\.txt deleted/);
    expect(told).toContain('Please write two files.');
    expect(told.length).toBeLessThan(700);
  });

  it('is a section of what a new session starts with', { tags: 'long' }, async () => {
    const client = await worked();
    writeFileSync(path.join(client.dir, 'a.txt'), 'edited elsewhere\n');
    const told = await client.hook('SessionStart', { source: 'startup', session_id: 'next' });
    expect(told).toMatch(/^@\d+ a\.txt changed$/m);
    expect(told).not.toContain('b.txt changed');
    expect(told).toContain('Please write two files.');
    const compacted = await client.hook('SessionStart', { source: 'compact' });
    expect(compacted).not.toContain('Changed on disk');
  });

  it('takes nothing from what a compaction is owed', { tags: 'long' }, async () => {
    const client = await worked();
    const lagging = client.failing('npm run late');
    await client.hook('PreCompact', { trigger: 'manual' });
    await client.hook('SessionStart', { source: 'compact' });
    await client.hook('PostCompact', { trigger: 'manual', compact_summary: 'We worked.' });
    client.write(...lagging);
    writeFileSync(path.join(client.dir, 'a.txt'), 'edited elsewhere\n');
    expect(await client.hook('SessionStart', { source: 'resume' })).toContain('a.txt changed');
    const owed = (text: string) => text.includes('More of what it held');
    expect(owed(await client.prompt('The next.', 'p2'))).toBe(true);
  });
});
