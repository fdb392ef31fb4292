import { existsSync } from 'node:fs';
import { callSettings, readHookConfigFile } from './hook-config-file.ts';
import { storageIn } from './storage.ts';
import { BEN10_DIR, isStorageLocation } from './storage-location.ts';

/** Nobody moves a journal so often; the newest are kept. */
const PLACES_MAX = 20;

/**
 * Folders of a project that still have a journal from before its place was changed, which nobody reads any more: `.ben10`, and
 * those that compiled settings tell of.
 * @param now where it is kept, relative to the project's folder
 */
export function earlierPlaces(dir: string, now: string): string[] {
  const compiled = readHookConfigFile(`${dir}/${BEN10_DIR}`);
  const told: unknown[] = Array.isArray(compiled?.places) ? compiled.places : [];
  // What was compiled last is told of by nobody until it is compiled again.
  const places = new Set([BEN10_DIR, ...told, callSettings(compiled?.config, {}).storage]);
  return [...places]
    .filter(isStorageLocation)
    .filter((place) => place !== now && hasJournal(dir, place))
    .slice(-PLACES_MAX);
}

function hasJournal(dir: string, place: string): boolean {
  try {
    return existsSync(`${storageIn(dir, place)}/journal`);
  } catch {
    // Behind a link there is none that ben10 has left there.
    return false;
  }
}
