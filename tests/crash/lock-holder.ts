/**
 * Takes the lock of a journal, says so, and never gives it back.
 *
 *   node lock-holder.cjs LOCK-FILE ADDONS
 */
import { openSync, writeSync } from 'node:fs';
import { systemClock } from '../../src/platform/clock.ts';
import { loadFileLock } from '../../src/platform/lock.ts';

const [file, addons] = process.argv.slice(2) as [string, string];
const held = loadFileLock(addons).tryLock(openSync(file, 'a+'));
writeSync(1, held ? 'held\n' : 'refused\n');
for (;;) systemClock.sleep(1_000_000);
