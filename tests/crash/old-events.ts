import { JournalWriter } from '../../src/journal/append/writer.ts';
import { prompt } from '../log/events.ts';
import { realPorts } from '../ports.ts';

const DAY_MS = 86_400_000;
/** The first ones of a journal, in a segment of their own, recorded a month ago. */
export const OLD_EVENTS = 3;
/** What `retention.events` is set to for them to go. */
export const RETENTION = '7d';

/** Of a journal that has nothing yet. @param root `.ben10` */
export function recordOldEvents(root: string): void {
  const clock = { ...realPorts.clock, now: () => Date.now() - 30 * DAY_MS };
  const writer = new JournalWriter({ ...realPorts, clock }, root, { lockBudgetMs: 5000 });
  const at = clock.now();
  for (let n = 1; n <= OLD_EVENTS; n += 1)
    writer.append([prompt(`Never touch file ${n}.`, { session: 'old', at })]);
  writer.rotate(0);
  writer.close();
}
