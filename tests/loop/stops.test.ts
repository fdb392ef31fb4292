import { describe, expect, it, vi } from 'vitest';
import { isPromised } from '../../src/loop/promise.ts';
import { overBudget, stopOf } from '../../src/loop/stops.ts';
import { openTestProject } from '../support.ts';
import { end, iterate, LOOP, looped, loopIn, startLoop } from './support.ts';

const limits = { max: 20, stall: 3, checks: [] };
const ran = (outcome: Parameters<typeof end>[2] & object) => {
  const project = openTestProject();
  startLoop(project, {}, { minutes: 10 });
  for (const n of [1, 2, 3]) {
    iterate(project, n, `s${n}`);
    end(project, n, outcome);
  }
  return project;
};

describe('what ends a loop, told by its events', () => {
  it('minutes are those that clients ran, whatever the clock says', () => {
    const project = openTestProject();
    startLoop(project, {}, { minutes: 10 });
    iterate(project, 1, 's1');
    vi.spyOn(project.ports.clock, 'now').mockReturnValue(Date.now() - 86_400_000);
    end(project, 1, { minutes: 6, tree: 'a' });
    expect(stopOf(loopIn(project))).toBeUndefined();
    expect(overBudget(loopIn(project), { tokens: 0, minutes: 5 })).toBe('minutes');
    iterate(project, 2, 's2');
    vi.restoreAllMocks();
    end(project, 2, { minutes: 4, tree: 'b' });
    expect(loopIn(project).spent.minutes).toBe(10);
    expect(stopOf(loopIn(project))).toBe('minutes');
  });

  it('a budget is used up to the part of a cent that a client is told of', () => {
    const project = openTestProject();
    startLoop(project, {}, { budgetUsd: 0.8 });
    for (let n = 1; n <= 8; n += 1) {
      expect(stopOf(loopIn(project))).toBeUndefined();
      iterate(project, n, `s${n}`);
      end(project, n, { costUsd: 0.1, tree: `${n}` });
    }
    expect(loopIn(project).spent.costUsd).toBeLessThan(0.8);
    expect(stopOf(loopIn(project))).toBe('budget');
  });

  it('a rate limit uses up nothing, and neither it nor a kill stands still or fails', () => {
    for (const outcome of ['rate-limit', 'interrupted'] as const) {
      const project = ran({ outcome, minutes: 1, tree: 'a' });
      expect(stopOf(loopIn(project))).toBeUndefined();
      expect(loopIn(project).spent.iterations).toBe(outcome === 'rate-limit' ? 0 : 3);
    }
  });

  it('what stood still is forgiven when the user goes on, not when a killed loop does', () => {
    const project = ran({ tree: 'a', minutes: 1 });
    expect(stopOf(loopIn(project))).toBe('stall');
    looped(project, 'loop.resumed', { limits });
    expect(stopOf(loopIn(project))).toBe('stall');
    looped(project, 'loop.stopped', { reason: 'stall' });
    looped(project, 'loop.resumed', { limits });
    expect(loopIn(project).loop).toBe(LOOP);
    expect(stopOf(loopIn(project))).toBeUndefined();
  });

  it('a todo that is done is news', () => {
    const project = ran({ tree: 'a', minutes: 1, todos: { done: 1, all: 3 } });
    expect(stopOf(loopIn(project))).toBeUndefined();
  });
});

const PROMPT =
  'Fix it.\nWhen done, output <promise>DONE</promise> and stop.\nOr:\n<promise>DONE</promise>';

describe('a promise', () => {
  it.each([
    '<promise>DONE</promise>',
    'All tests pass. <promise>DONE</promise>',
    'I said “later” before.\n\n<promise>DONE</promise>\n',
    "It didn't fail, it isn't slow: <promise>DONE</promise>.",
    '```sh\nnpm test\n```\n<promise>DONE</promise>',
  ])('is given: %j', (text) => {
    expect(isPromised(text, 'DONE', PROMPT)).toBe(true);
  });

  it.each([
    '',
    '"<promise>DONE</promise>"',
    'I will say "it is <promise>DONE</promise>" at the end',
    'Then I print ‘<promise>DONE</promise>’',
    '‹<promise>DONE</promise>›',
    'Dann sage ich ‚es ist <promise>DONE</promise>‘',
    '»es ist <promise>DONE</promise>«',
    '「それは <promise>DONE</promise>」',
    '『<promise>DONE</promise>』',
    '`<promise>DONE</promise>`',
    '```\n<promise>DONE</promise>\n```',
    'see:\n~~~xml\n<promise>DONE</promise>',
    '> <promise>DONE</promise>',
    'I do not say <promise>DONE</promise> yet: two tests fail',
    '<promise>DONE',
    '<promise>Done</promise>',
    '<promise> DONE</promise>',
    '<promise>NOT DONE</promise>',
    PROMPT,
    `I was told:\n${PROMPT}`,
    'When done, output <promise>DONE</promise> and stop.',
    'Or:\n<promise>DONE</promise>',
  ])('is not given: %j', (text) => {
    expect(isPromised(text, 'DONE', PROMPT)).toBe(false);
  });

  it('is found in time, whatever the text', () => {
    const long = ['`"> ', '```\n', "'a ", '<promise>DONE</promise>x\n'].map((one) =>
      one.repeat(60_000),
    );
    const start = performance.now();
    for (const text of long) expect(isPromised(text, 'DONE', PROMPT)).toBe(false);
    expect(performance.now() - start).toBeLessThan(20_000);
  });
});
