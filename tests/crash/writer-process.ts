/**
 * A writer to be killed: appends for ever.
 *
 *   node writer-process.cjs ROOT ADDONS NAME PAUSE [mixed|large]
 *
 * PAUSE: milliseconds between two appends: a writer thinks, as an agent does
 */
import type { NewEvent } from '../../src/journal/append/inbox.ts';
import { JournalWriter } from '../../src/journal/append/writer.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { keepBlob } from './keep-blob.ts';
import { processPorts } from './process-ports.ts';
import { appendAloud, eventOf } from './test-events.ts';

const MIB = 1024 * 1024;

const [root, addons, name, pause, diet] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string | undefined,
];
const ports = processPorts(addons);
const isLarge = diet === 'large';
// Large appends are to be hit in the write itself, not over the next segment.
const options = isLarge ? {} : { segmentBytes: 2 * MIB };
const writer = new JournalWriter(ports, root, { lockBudgetMs: 50, ...options });
const CLASSES = isLarge ? (['process'] as const) : (['process', 'interval', 'disk'] as const);

/** Mostly one small event, sometimes more than a page, now and then up to several MiB in one append: those tear. */
function sizesFrom(turn: number): number[] {
  if (isLarge) return new Array<number>(4).fill(1_000_000);
  if (turn % 24 === 4) return [700_000];
  if (turn % 48 === 10) return [1_000_000, 1_000_000, 250_000, 1_000_000];
  if (turn % 5 === 0) return [20_000];
  return [100 + ((turn * 37) % 400)];
}

/** A text that is too large for an event goes beside the journal before its event goes in. */
const blobAt = (turn: number): string | undefined =>
  !isLarge && turn % 96 === 16
    ? keepBlob(ports, root, Buffer.alloc(3 * MIB, `${name} ${turn} `))
    : undefined;

// Writers do not go through their turns at the same time.
let turn = Number(/\.(\d+)$/.exec(name)?.[1] ?? 0) % 96;
for (let n = 0; ; turn += 1) {
  const blob = blobAt(turn);
  const sizes = blob === undefined ? sizesFrom(turn) : [2000];
  const batch: NewEvent[] = sizes.map((bytes, i) =>
    eventOf(name, n + i, bytes, CLASSES[(n + i) % CLASSES.length]!, blob),
  );
  appendAloud((events) => writer.append(events), batch, n);
  n += batch.length;
  systemClock.sleep(Number(pause));
}
