import { expect, it } from 'vitest';
import { inSlices } from '../../src/platform/slices.ts';

function busy(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

it('long work in short steps lets others have their turn meanwhile, and is done at the end', async () => {
  let turns = 0;
  let isOver = false;
  const turn = (): void => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  let done = 0;
  function* steps() {
    for (let n = 0; n < 40; n += 1) {
      busy(5);
      done += 1;
      yield;
    }
  }
  await inSlices(steps());
  isOver = true;
  expect(done).toBe(40);
  // Two hundred milliseconds of work.
  expect(turns).toBeGreaterThanOrEqual(5);
});

it('short work is done at once', async () => {
  let isHeard = false;
  setImmediate(() => {
    isHeard = true;
  });
  await inSlices([1, 2, 3]);
  expect(isHeard).toBe(false);
});

it('what a step throws ends it', async () => {
  function* steps() {
    yield;
    throw new Error('no such file');
  }
  await expect(inSlices(steps())).rejects.toThrow('no such file');
});
