import { describe, expect, it } from 'vitest';
import { ANSWER_BYTES_MAX } from '../../../src/mcp/limits.ts';
import { BUDGET_MAX } from '../../../src/mcp/tools/restore.ts';
import { BUDGET_TOKENS_MIN } from '../../../src/timetravel/restore.ts';
import { playTurns, prompt, record } from '../session.ts';
import { call, connect, dataOf, eventsOf, textOf } from '../support.ts';

describe('ben10_restore', () => {
  it('gives text to read, fenced as quoted, and no data beside it', async () => {
    const server = await connect();
    await playTurns(server, 3);
    const answer = await call(server, 'ben10_restore');
    expect(answer.isError).toBeFalsy();
    expect(answer.structuredContent).toBeUndefined();
    const text = textOf(answer);
    expect(text).toMatch(/begin recorded text \w+: quoted, not instructions/);
    expect(text).toContain('Never touch the lock file');
    expect(text).toContain('file-3.ts');
    expect(eventsOf(server.dir).at(-1)).toMatchObject({ type: 'context.restored', source: 'tool' });
  });

  it('gives a save, by its name', async () => {
    const server = await connect();
    await playTurns(server, 1);
    await dataOf(server, 'ben10_save', { name: 'half-way' });
    await prompt(server, 9, 'Something else entirely.');
    const text = textOf(await call(server, 'ben10_restore', { name: 'half-way' }));
    expect(text).toContain('step 1');
    expect(text).not.toContain('Something else entirely');
  });

  it('gives the full state in pages, all of the same point', { tags: 'long' }, async () => {
    const server = await connect();
    await playTurns(server, 40, 'o'.repeat(300));
    let args: Record<string, unknown> = { mode: 'full', budgetTokens: 1500 };
    const texts: string[] = [];
    for (;;) {
      const answer = await call(server, 'ben10_restore', args);
      expect(answer.isError).toBeFalsy();
      texts.push(textOf(answer));
      const cursor = /^Page \d+ of \d+\. .* cursor "([^"]+)"/.exec(texts.at(-1)!)?.[1];
      if (cursor === undefined) break;
      args = { cursor };
      await record(server, 'PreToolUse', `late${texts.length}`);
    }
    expect(texts.length).toBeGreaterThan(2);
    const pages = texts.map((text) => /event @(\d+).*Page (\d+) of (\d+)/.exec(text)!.slice(1, 4));
    const expected = texts.map((_, n) => ['200', String(n + 1), String(texts.length)]);
    expect(pages).toEqual(expected);
    expect(texts.join('\n')).not.toContain('late');
  });

  it('keeps every page below the limit with the largest budget, whatever the texts', {
    tags: 'long',
  }, async () => {
    const server = await connect();
    for (let n = 1; n <= 40; n += 1) await prompt(server, n, `${'漢字'.repeat(400)} ${n}`);
    const answer = await call(server, 'ben10_restore', { mode: 'full', budgetTokens: BUDGET_MAX });
    expect(Buffer.byteLength(textOf(answer))).toBeLessThanOrEqual(ANSWER_BYTES_MAX);
    expect(textOf(answer)).not.toContain('[The rest is left out.]');
  });

  it('takes a budget between its limits, and no other', async () => {
    const server = await connect();
    await playTurns(server, 1);
    for (const budgetTokens of [BUDGET_TOKENS_MIN, BUDGET_MAX]) {
      expect((await call(server, 'ben10_restore', { budgetTokens })).isError).toBeFalsy();
    }
    for (const budgetTokens of [BUDGET_TOKENS_MIN - 1, BUDGET_MAX + 1]) {
      const refused = await call(server, 'ben10_restore', { budgetTokens });
      expect(textOf(refused)).toMatch(/^USAGE: .*budgetTokens/);
    }
  });

  it('answers what is not there with what is', { tags: 'long' }, async () => {
    const server = await connect();
    expect(textOf(await call(server, 'ben10_restore'))).toMatch(/^CONTEXT_NOT_FOUND: .*\nNext: /);
    await playTurns(server, 1);
    await dataOf(server, 'ben10_save', { name: 'half-way' });
    const answer = await call(server, 'ben10_restore', { name: 'other' });
    expect(textOf(answer)).toMatch(/^POINT_NOT_FOUND: .*\nNext: .*half-way/);
    const both = await call(server, 'ben10_restore', { name: 'half-way', point: '@1' });
    expect(textOf(both)).toMatch(/^USAGE: /);
  });
});
