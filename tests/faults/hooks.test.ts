import { describe, expect, it } from 'vitest';
import { type HookTally, injectIntoHooks, oneOfEachName } from './hooks.ts';

describe('a call of the file system that fails within a hook', () => {
  it.each([
    ['PreToolUse', 'EIO'],
    ['PreToolUse', 'short write'],
    ['SessionStart', 'ENOSPC'],
    ['Stop', 'short read'],
  ] as const)(
    'costs the agent at most a line, and never the journal: %s, %s',
    async (event, fault) => {
      const tally: HookTally = { runs: 0, complained: 0, violations: [] };
      await injectIntoHooks(tally, oneOfEachName(1), { faults: [fault], events: [event] });
      expect(tally.violations).toEqual([]);
      expect(tally.runs).toBeGreaterThan(1);
    },
  );

  it('is told by the hook where its event could not be kept', async () => {
    const tally: HookTally = { runs: 0, complained: 0, violations: [] };
    // What it opens to write first is the lock.
    await injectIntoHooks(tally, () => [1], { faults: ['EROFS'], events: ['PreToolUse'] });
    expect(tally).toEqual({ runs: 2, complained: 2, violations: [] });
  });
});
