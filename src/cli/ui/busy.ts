import { writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/** For shorter work a line would only flash. */
const SHOWN_AFTER_MS = 700;
/** A thread of its own: the work is synchronous, so that no timer fires during it. */
const SPINNER = `
const { workerData: { state, phase, wait } } = require('node:worker_threads');
const { writeSync } = require('node:fs');
const started = Date.now();
const frames = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';
let left = wait;
for (let n = 0; Atomics.wait(state, 0, 0, left) === 'timed-out'; n += 1) {
  left = 100;
  Atomics.store(state, 1, 1);
  const seconds = Math.round((Date.now() - started) / 1000);
  try { writeSync(2, '\\r\\x1b[K' + frames[n % frames.length] + ' ' + phase + ' (' + seconds + ' s)'); } catch {}
}
Atomics.store(state, 2, 1);
Atomics.notify(state, 2);
`;

let stop: (() => void) | undefined;

/** Says on a terminal what this process works at, until it prints something or `endBusy` is called. */
export function showBusy(phase: string): void {
  endBusy();
  const streams = [process.stdout, process.stderr];
  if (phase === '' || !process.stderr.isTTY) return;
  // Whether it has ended, was shown, has written its last.
  const state = new Int32Array(new SharedArrayBuffer(12));
  const workerData = { state, phase, wait: SHOWN_AFTER_MS };
  new Worker(SPINNER, { eval: true, workerData }).unref();
  const writes = streams.map((stream) => stream.write);
  stop = () => {
    stop = undefined;
    for (const [n, stream] of streams.entries()) stream.write = writes[n]!;
    Atomics.store(state, 0, 1);
    Atomics.notify(state, 0);
    if (Atomics.load(state, 1) === 0) return;
    Atomics.wait(state, 2, 0, 200);
    writeSync(2, '\r\x1b[K');
  };
  for (const stream of streams)
    stream.write = ((...args: Parameters<typeof stream.write>) => {
      endBusy();
      return stream.write(...args);
    }) as typeof stream.write;
}

export const endBusy = (): void => stop?.();
