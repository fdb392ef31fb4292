// Every work that is done under a lock.
import { step } from './step.mjs';

const MEET = 'sim:interleaved,random';
const LOCKS = 'safety/locks';
const READER = 'capture/one-reader';

export const locks = [
  step(
    'lock by the kernel',
    ['platform/lock', 'journal/append/locking'],
    'platform/lock.ts',
    'addon.tryLock(fd, 0, 0, true);',
  ),
  step(
    'lock that somebody else holds',
    'journal/append/locking',
    'journal/append/locking.ts',
    'if (!lock.tryLock(this.#fd)) return undefined;',
  ),
  step(
    'lock of an append',
    MEET,
    'journal/append/writer.ts',
    'return this.#lock().hold(budgetMs, work);',
    'return { value: work() };',
  ),
  step(
    'lock of a new segment after a failed sync',
    ['journal/append/durability', LOCKS],
    'journal/append/writer.ts',
    'this.#lock().hold(this.#options.lockBudgetMs, () => this.#active.open());',
    'this.#active.open();',
  ),
  step(
    'lock of a compaction',
    LOCKS,
    'journal/seal/compact.ts',
    'lock.hold(0, () => compactLocked(ports, layout, codecs, options));',
    '{ value: compactLocked(ports, layout, codecs, options) };',
  ),
  step(
    'lock of the manifest in a compaction',
    LOCKS,
    'journal/seal/compact.ts',
    'lock.hold(LOCK_BUDGET_MS, () => {\n      const manifest',
    '((_, work) => work())(LOCK_BUDGET_MS, () => {\n      const manifest',
  ),
  step(
    'lock of verify at the tail',
    MEET,
    'journal/verify/segment.ts',
    'lock.hold(LOCK_BUDGET_MS, () => openSegment(ports, file));',
    '{ value: openSegment(ports, file) };',
  ),
  step(
    'lock of compaction in an erasure',
    LOCKS,
    'journal/erase/locks.ts',
    'compaction.hold(budgetMs, () => append.hold(budgetMs, work))?.value;',
    'append.hold(budgetMs, work);',
  ),
  step(
    'lock of appends in an erasure',
    LOCKS,
    'journal/erase/locks.ts',
    'compaction.hold(budgetMs, () => append.hold(budgetMs, work))?.value;',
    'compaction.hold(budgetMs, work);',
  ),
  step(
    'lock of compaction in a repair',
    LOCKS,
    'journal/repair/repair.ts',
    'withLock(ports, layout.compactLock, work);',
    'work();',
  ),
  step(
    'lock of appends while a repair closes the newest segment',
    LOCKS,
    'journal/repair/repair.ts',
    'withLock(ports, layout.lock, () => {\n    const aside',
    '((_, __, work) => work())(ports, layout.lock, () => {\n    const aside',
  ),
  step(
    'lock of appends while a repair opens the manifest',
    LOCKS,
    'journal/repair/repair.ts',
    'withLock(ports, layout.lock, () => openManifest(ports, layout).lost);',
    'openManifest(ports, layout).lost;',
  ),
  step(
    'lock of compactions while saves are archived',
    'timetravel/snapshots/archive',
    'timetravel/snapshots/archive.ts',
    'return lock.hold(0, repackAll)?.value;',
    'return repackAll();',
  ),
  step(
    'lock of compactions while a state is stored again',
    'timetravel/stored-state',
    'timetravel/stored-files.ts',
    'lock.hold(LOCK_BUDGET_MS, storeAgain);',
    '{ value: storeAgain() };',
  ),
  step(
    'lock of appends while a state is written',
    'erasure/racing-save',
    'timetravel/beside-erasure.ts',
    'lock.hold(LOCK_BUDGET_MS, work);',
    '{ value: work() };',
  ),
  step(
    'lock of who reads transcripts',
    READER,
    'capture/one-reader.ts',
    'lock.hold(0, readAlone) ?? (givesWay ? wait() : waitInQueue());',
    '{ value: readAlone() };',
  ),
  step(
    'lock of who has waited to read transcripts',
    READER,
    'capture/one-reader.ts',
    'lock.hold(deadline - ports.clock.now(), readAlone);',
    '({ value: readAlone() });',
  ),
  step(
    'lock of the queue for reading transcripts',
    READER,
    'capture/one-reader.ts',
    'openQueue() === undefined ? wait() : queue!.hold(deadline - ports.clock.now(), wait)?.value;',
    'wait();',
  ),
  step(
    'lock that tells whether somebody waits to read transcripts',
    READER,
    'capture/one-reader.ts',
    'openQueue() !== undefined && queue!.hold(0, NEVER) === undefined;',
    'false;',
  ),
  step(
    'lock file that was removed is none',
    'journal/append/locking',
    'journal/append/locking.ts',
    '    if (isThere) return true;',
    '    return true;',
  ),
];
