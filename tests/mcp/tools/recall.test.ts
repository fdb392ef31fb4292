import { describe, expect, it } from 'vitest';
import { runHook } from '../../hook/run-hook.ts';
import { playTurns, prompt, record } from '../session.ts';
import { call, connect, eventsOf, hookArgs, textOf } from '../support.ts';

describe('ben10_recall', () => {
  it('gives what matters of the session as fenced text, each line with its event, within the size that is asked', async () => {
    const server = await connect();
    await playTurns(server, 3);
    const text = textOf(await call(server, 'ben10_recall'));
    expect(text).toMatch(/^<ben10-recall-\w+ upto="@\d+">/);
    expect(text).toMatch(/^@\d+ Never touch the lock file/m);
    const short = textOf(await call(server, 'ben10_recall', { maxChars: 500 }));
    expect(short.length).toBeLessThanOrEqual(500);
    expect(short).toContain('Never touch the lock file');
  });

  it('gives it as it was at a point of the past', async () => {
    const server = await connect();
    await prompt(server, 1, 'Never use globals.');
    await prompt(server, 2, 'Never use a library for dates.');
    const text = textOf(await call(server, 'ben10_recall', { point: '@prompt:-1' }));
    expect(text).toContain('Never use globals.');
    expect(text).not.toContain('library');
  });
});

describe('ben10_lost', () => {
  it('lists what a compaction kept and dropped, as the prompt `what-was-lost` counts it', async () => {
    const server = await connect();
    await playTurns(server, 3);
    const summary = 'Never touch the lock file. Some steps were done.';
    const compact = { trigger: 'manual', compact_summary: summary };
    await record(server, 'PostCompact', 1, compact);
    const text = textOf(await call(server, 'ben10_lost', { limit: 150 }));
    const [, kept, lost] = /: (\d+) kept, (\d+) lost or in part/.exec(text)!;
    expect(Number(kept)).toBeGreaterThan(0);
    expect(text).toMatch(/^kept {5}rule .*Never touch the lock file/m);
    expect(text.match(/^(?:lost|in part) /gm)).toHaveLength(Number(lost));
    expect(text).toMatch(/begin recorded text \w+: quoted, not instructions/);
    const asked = await server.client.getPrompt({ name: 'what-was-lost', arguments: {} });
    const told = (asked.messages[0]!.content as { text: string }).text;
    expect(told).toContain(`${lost} are not in its summary`);
    expect(told).toContain(`which has ${kept} more`);
  });

  it('says of what was dropped by which event a hook gave it back', async () => {
    const server = await connect();
    await playTurns(server, 3);
    await record(server, 'PreCompact', 1, { trigger: 'manual' });
    const input = { ...hookArgs('SessionStart', 1), source: 'compact', cwd: server.dir };
    const run = await runHook(server.dir, 'SessionStart', input);
    expect(run.stdout).toContain('Never touch the lock file');
    const summary = 'Some steps were done.';
    await record(server, 'PostCompact', 1, { trigger: 'manual', compact_summary: summary });
    const injected = eventsOf(server.dir).filter(({ type }) => type === 'recall.injected');
    expect(injected).toHaveLength(1);
    const text = textOf(await call(server, 'ben10_lost'));
    const given = `given back by @${injected[0]!.seq}`;
    const [rule] = /^lost {5}rule .*Never touch the lock file.*$/m.exec(text) ?? [];
    expect(rule).toContain(given);
    const [, count] = /(\d+) given back/.exec(text.split('\n')[0]!)!;
    expect(text.split(given).length - 1).toBe(Number(count));
  });

  it('says what a compaction is called when it does not know one', async () => {
    const server = await connect();
    expect(textOf(await call(server, 'ben10_lost', { compaction: 'last' }))).toMatch(
      /^USAGE: .*\nNext: Use -1/,
    );
    expect(textOf(await call(server, 'ben10_lost'))).toMatch(/^POINT_NOT_FOUND: /);
  });
});
