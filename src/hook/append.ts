import { Recorder } from '../capture/recorder.ts';
import { compileRedaction, type RedactionConfig } from '../capture/redaction/index.ts';
import type { NewEvent } from '../journal/append/inbox.ts';
import { JournalWriter } from '../journal/append/writer.ts';
import { systemClock } from '../platform/clock.ts';
import { excludedBy } from '../platform/exclude.ts';
import { nodeFs } from '../platform/fs.ts';
import type { CallSettings } from '../platform/hook-config-file.ts';
import { type FileLock, loadFileLock } from '../platform/lock.ts';
import { systemRandom } from '../platform/random.ts';
import { makeBen10Dir, storageIn } from '../platform/storage.ts';
import { xxh64 } from '../platform/xxh64.ts';
import { HOOK_LOCK_BUDGET_MS } from './recording.ts';

/** What an append did: appended, found the lock taken, or drained the inbox. Each runs other code. */
export const WAYS = { appended: 0, spooled: 1, drained: 2 } as const;
export type Way = (typeof WAYS)[keyof typeof WAYS];

/** One event, without opening the project. @throws Ben10Error, Node's errors */
export function append(
  dir: string,
  settings: CallSettings,
  make: (recorder: Recorder) => NewEvent,
): Way {
  makeBen10Dir(dir);
  const root = storageIn(dir, settings.storage);
  const lock = systemLock();
  // The code that finishes an erasure is not in this bundle.
  const ports = { fs: nodeFs, clock: systemClock, random: systemRandom, lock, xxh64, stored: [] };
  const writer = new JournalWriter(ports, root, { lockBudgetMs: HOOK_LOCK_BUDGET_MS });
  const redaction = compileRedaction(settings.redaction as RedactionConfig).options;
  const excluded = (file: string) => excludedBy(settings.exclude, dir, file);
  const recorder = new Recorder({
    ports,
    root,
    writer,
    redaction,
    excluded,
    client: 'claude-code',
  });
  const { spooled } = recorder.append([make(recorder)]);
  if (spooled) return WAYS.spooled;
  return writer.taken > 0 ? WAYS.drained : WAYS.appended;
}

function systemLock(): FileLock | undefined {
  try {
    return loadFileLock(`${__dirname}/addons`);
  } catch {
    return undefined; // no addon for this system: the event goes to the inbox
  }
}
