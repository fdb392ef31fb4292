import { describe, expect, it } from 'vitest';
import { lostAccount, whatWasLost } from '../../src/recall/lost.ts';
import { Summary } from '../../src/recall/missing.ts';
import { findCompaction } from '../../src/timetravel/compactions.ts';
import { imported, realClient, testProject } from '../timetravel/project.ts';

const compacted = () => imported(testProject(), realClient('two-compactions/projects'));

/** What the last compaction of the recorded session would have dropped with another summary. */
function asker() {
  const project = compacted();
  const { session, point } = findCompaction(project, -1);
  return (summary: string, budget = 10_000) =>
    whatWasLost(project, { session, cut: point.cut, summary, about: 'A compaction.', budget });
}

describe('what a compaction dropped', () => {
  it('is everything where no summary is known', () => {
    const { items, lost: count, told } = asker()('');
    expect(told).toBe(0);
    expect(items).toHaveLength(count);
    expect(items.map(({ text }) => text)).toContain('Never use a library for them.');
  });

  it('is not what the summary says, in whichever case and order', () => {
    const lost = asker();
    const rule = 'Never use a library for them.';
    const { text: everything, lost: count } = lost('', 100_000);
    const less = lost('THE USER: a library, for them? NEVER use it!');
    expect(less.told).toBeGreaterThanOrEqual(1);
    expect(less.lost).toBe(count - less.told);
    expect(less.items.map(({ text }) => text)).not.toContain(rule);
    const whole = lost(everything);
    expect(whole).toMatchObject({ lost: 0, told: count, items: [], text: '' });
  });

  it('is what a summary says of without the name or the number in it', () => {
    const lost = asker();
    const command = lost('').items.find(({ kind }) => kind === 'error' || kind === 'command')!;
    expect(lost('A check was run and it failed.').items).toContainEqual(command);
  });

  it('is what a summary says most words of, but not the number, the path or the name', () => {
    const item = (text: string) => ({
      kind: 'finding' as const,
      text,
      seq: 1,
      at: 1,
      key: 'k',
      worth: 1,
    });
    const gone = (text: string, said: string) => new Summary(said).missing(item(text)) !== null;
    const measured = 'p95 is 312.4 ms at 200.5 rps, above the limit of 250 ms.';
    expect(gone(measured, 'The p95 is above the limit of 250 ms at some rps.')).toBe(true);
    expect(gone(measured, 'p95 is 312.4 ms at 200.5 rps, above the limit of 250 ms')).toBe(false);
    const index = 'use a table idempotency_keys with a unique index on (merchant_id, key)';
    expect(gone(index, 'They use a table idempotency_keys with a unique index on key.')).toBe(true);
    const place = 'the client that never sends one is in src/pos/client.ts:88';
    expect(gone(place, 'The client that never sends one is in src, line 88.')).toBe(true);
    expect(gone(place, 'The client that never sends one is in /w/src/pos/client.ts:88.')).toBe(
      false,
    );
    expect(gone('`npm test` → exit 0: Tests 84 passed', 'npm test: exit, tests passed')).toBe(true);
    // What ben10 says of it, and what nobody may know, is in no summary.
    expect(
      gone(
        'the token [REDACTED:GITHUB-TOKEN] expires on every other friday',
        'The token expires on every other friday.',
      ),
    ).toBe(false);
  });

  it('is not told by what the client says around a summary to the model', () => {
    const { summary } = findCompaction(compacted(), -1);
    expect(summary).toContain('Bash, Read, TaskCreate');
    const rule = { kind: 'rule' as const, seq: 1, at: 1, key: 'k', worth: 1 };
    for (const text of [
      'Do not recap what was happening, pick up the last task.',
      'Bash and Read before TaskCreate.',
    ])
      expect(new Summary(summary).missing({ ...rule, text })).toMatchObject({ text });
    const text = 'Due dates are being added.';
    expect(new Summary(summary).missing({ ...rule, text })).toBeNull();
  });

  it('is told in part with what of it is not in the summary', () => {
    const project = compacted();
    const { session, point } = findCompaction(project, -1);
    const text =
      'Keep dates as ISO strings and never use a library for them. The check ended with exit FAIL: todo.js knows no due dates';
    const { fates } = lostAccount(project, { session, cut: point.cut, summary: text });
    const command = fates.find(({ item }) => item.text.includes('check.sh'))!;
    expect(command).toMatchObject({ fate: 'in part', missing: ['check.sh'] });
  });

  it('stays within its budget, the most valuable first', () => {
    const lost = asker();
    const all = lost('');
    const { text, items } = lost('', 400);
    expect(text.length).toBeLessThanOrEqual(400);
    expect(items.length).toBeLessThan(all.items.length);
    expect(items[0]!.kind).toBe('rule');
  });
});

describe('a compaction', () => {
  it('is found with the summary that it put in the conversation’s place', () => {
    const project = compacted();
    const found = findCompaction(project, -1);
    expect(found.summary).toContain('Summary:');
    expect(found.point.text).toBe('@compaction:-1');
    expect(findCompaction(project, 1).at).toBeLessThan(found.at);
    expect(findCompaction(project, 1).summary).toContain('The check failed; the list was read.');
    expect(() => findCompaction(project, -3)).toThrow(/POINT_NOT_FOUND|not in this journal/);
  });
});
