import { describe, expect, it } from 'vitest';
import { whatWasLost } from '../../src/recall/lost.ts';
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
