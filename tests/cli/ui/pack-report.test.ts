import { expect, it } from 'vitest';
import { aboutLine, reportLines } from '../../../src/cli/ui/pack-report.ts';

it('a report says what was used, never used, missing, and what a token is of', () => {
  const none = { given: 3, edited: 0, named: 0, readAgain: 0, readTokens: 0 };
  const report = {
    given: 3,
    sessions: 2,
    lost: 1,
    usedShare: 0.412,
    items: [
      { label: 'src/session.ts', tokens: 5310, ...none, readAgain: 1, readTokens: 5310 },
      { label: 'src/jwt.ts', tokens: 812, ...none, edited: 2 },
      { label: 'docs/old.md', tokens: 1204, ...none },
    ],
    missed: [{ file: 'src/keys.ts', sessions: 2 }],
    factors: [
      {
        model: 'claude-opus-4-8',
        factor: 1.312,
        renders: 6,
        spread: [1.29, 1.34] as [number, number],
      },
    ],
  };
  expect(reportLines('auth', report, null)).toEqual([
    'given 3 times in 2 sessions; 41 % of its tokens were used; 5,310 were read again by the agent (src/session.ts, same bytes)',
    'edited: src/jwt.ts (2 of 3)',
    'never used: docs/old.md (1,204)',
    'opened within 20 calls and not in it: src/keys.ts (2 of 2 sessions)',
    '1 time cannot be judged: what was given is lost or erased',
    'claude-opus-4-8: × 1.31 of the tokens here (1.29 to 1.34, measured on 6 renders)',
  ]);
});

it('a preview says about how many tokens of the model it has', () => {
  const factor = { model: 'claude-opus-4-8', factor: 1.31, renders: 6, spread: null };
  expect(aboutLine(factor, 22_518)).toBe(
    'claude-opus-4-8: about 29,500 tokens (× 1.31, measured on 6 renders)',
  );
});
