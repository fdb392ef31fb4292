import { readFileSync } from 'node:fs';
import { singleRow } from './report.mjs';

/** Clock ticks a second, as Linux tells them. */
const TICKS = 100;

/**
 * Counts the processor time of the programs that cases start and wait for: a busy machine makes the clock's time longer,
 * and this hardly. Linux alone tells it, and in steps of 10 ms: only the mean of many rounds says something.
 */
export function childTime(cases) {
  const spent = {};
  const timed = Object.entries(cases).map(([name, work]) => [
    name,
    (round) => {
      const before = ticks();
      const counted = work(round);
      spent[name] = (spent[name] ?? 0) + ticks() - before;
      return counted;
    },
  ]);
  const rows = (figure, ours, peer, peerName) =>
    spent[peer] > 0 ? [singleRow(`${figure} / ${peerName}`, spent[ours] / spent[peer], '×')] : [];
  return { cases: Object.fromEntries(timed), rows };
}

/** The milliseconds of the processor that a program took which `work` starts and waits for; by the clock where nothing tells them. */
export function childCpu(work) {
  const [before, start] = [ticks(), performance.now()];
  work();
  return process.platform === 'linux' ? ticks() - before : performance.now() - start;
}

/** User and system time of the children that ended. */
function ticks() {
  if (process.platform !== 'linux') return 0;
  const text = readFileSync('/proc/self/stat', 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[13]) + Number(fields[14])) * 1000) / TICKS;
}
