/**
 * A writer that is sent from journal to journal: appends modestly to one until it is called off.
 *
 *   node bystander-process.cjs ADDONS NAME
 *
 * Takes lines `go ROOT` and `rest`; answers `rest` with `rested`.
 */
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { JournalWriter } from '../../src/journal/append/writer.ts';
import { processPorts } from './process-ports.ts';
import { appendAloud, eventOf } from './test-events.ts';

/** Often enough to be in the way of what others do in milliseconds, seldom enough for seven of them on two cores. */
const PAUSE_MS = 80;

const [addons, name] = process.argv.slice(2) as [string, string];
const ports = processPorts(addons);
const CLASSES = ['process', 'process', 'interval', 'disk'] as const;
let root: string | undefined;

async function work(here: string): Promise<void> {
  const writer = new JournalWriter(ports, here, { lockBudgetMs: 50 });
  for (let n = 0; root === here; n += 1) {
    const event = eventOf(name, n, 100 + ((n * 53) % 400), CLASSES[n % CLASSES.length]!);
    appendAloud((events) => writer.append(events), [event], n);
    await sleep(PAUSE_MS);
  }
  writer.close();
  writeSync(1, 'rested\n');
}

createInterface({ input: process.stdin }).on('line', (line) => {
  root = line.startsWith('go ') ? line.slice(3) : undefined;
  if (root !== undefined) void work(root);
});
