import { existsSync } from 'node:fs';
import { callSettings, readHookConfigFile } from './hook-config-file.ts';
import { storageIn } from './storage.ts';
import { BEN10_DIR, isStorageLocation } from './storage-location.ts';

const PLACES_MAX = 20;

/**
 * Folders of a project with a journal from before `context.storageLocation` was changed. They are not read any more.
 * @param now the current location, relative to the project's folder
 */
export function earlierPlaces(dir: string, now: string): string[] {
  const compiled = readHookConfigFile(`${dir}/${BEN10_DIR}`);
  const listed: unknown[] = Array.isArray(compiled?.places) ? compiled.places : [];
  // The last compiled location is not in the list until the settings are compiled again.
  const places = new Set([BEN10_DIR, ...listed, callSettings(compiled?.config, {}).storage]);
  return [...places]
    .filter(isStorageLocation)
    .filter((place) => place !== now && hasJournal(dir, place))
    .slice(-PLACES_MAX);
}

function hasJournal(dir: string, place: string): boolean {
  try {
    return existsSync(`${storageIn(dir, place)}/journal`);
  } catch {
    return false; // a link: ben10 does not write through one
  }
}
