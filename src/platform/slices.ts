import { setImmediate } from 'node:timers/promises';

/** How long work goes on before others have their turn, milliseconds. */
const SLICE_MS = 15;

/** Takes the steps of something long, and lets the event loop have its turn between some of them. */
export async function inSlices(steps: Iterable<unknown>): Promise<void> {
  let end = performance.now() + SLICE_MS;
  for (const _ of steps) {
    if (performance.now() < end) continue;
    await setImmediate();
    end = performance.now() + SLICE_MS;
  }
}
