import { describe, expect, it } from 'vitest';
import { type Line, SECTIONS, type SectionKey } from '../../src/timetravel/sections.ts';
import { statedOnce } from '../../src/timetravel/stated-once.ts';

/** The texts that are left of each section that has some. */
function left(texts: Partial<Record<SectionKey, string[]>>) {
  const lines = (key: SectionKey): Line[] => (texts[key] ?? []).map((text, seq) => ({ text, seq }));
  const all = Object.fromEntries(SECTIONS.map((key) => [key, lines(key)]));
  const told = Object.entries(statedOnce(all as Record<SectionKey, Line[]>));
  const some = told.filter(([, { length }]) => length > 0);
  return Object.fromEntries(some.map(([key, own]) => [key, own.map(({ text }) => text)]));
}

describe('what a summary tells', () => {
  it('has no prompt that is a rule or a correction and nothing else', () => {
    const corrections = ['No, do not use library 1; use the builtin.', 'Use the table instead.'];
    const asked = [corrections[0]!, 'No. Use the table instead.', 'Go on.'];
    expect(left({ corrections, asked })).toEqual({ corrections, asked: ['Go on.'] });
  });

  it('has of a prompt what is told nowhere else', () => {
    const rules = ['Never use tabs (said 2 times)', 'Keep dates as ISO strings.'];
    const asked = ['Write the docs. Never use tabs. Keep dates as ISO strings. Then the tests.'];
    expect(left({ rules, asked })).toEqual({
      rules,
      asked: ['Write the docs. … Then the tests.'],
    });
  });

  it('has a decision once, wherever the agent stated it', () => {
    const decisions = ['Decision: use the builtin because it is smaller.'];
    const said = [decisions[0]!, `It is done ${decisions[0]} Next are the tests.`];
    const summary = [`2. ${decisions[0]}`, '3. The tests are open.'];
    expect(left({ decisions, said, summary })).toEqual({
      decisions,
      said: ['It is done … Next are the tests.'],
      summary: ['3. The tests are open.'],
    });
  });

  it('keeps a sentence of which only a part was told: it may say the opposite', () => {
    const rules = ['use moment for dates'];
    const asked = ['Do not use moment for dates.', 'So: use moment for dates only in the tests.'];
    expect(left({ rules, asked })).toEqual({ rules, asked });
  });
});
