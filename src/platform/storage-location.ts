/** What a project's storage folder is called when nobody says anything. Its settings are in a folder of this name always. */
export const BEN10_DIR = '.ben10';

/** No name of a folder that people choose is longer. */
export const STORAGE_LOCATION_CHARS_MAX = 200;

/** One folder's name: no separators of any system, no device, drive or stream, nothing that a terminal obeys. */
const NAME = /^(?!\.{1,2}$)[^\\/:*?"<>|\x00-\x1f\x7f]*[^\\/:*?"<>|\x00-\x1f\x7f. ]$/;
/** Folders whose content is other programs' own. */
const TAKEN = new Set(['.git', '.claude', 'node_modules']);

/** Whether a value names a folder inside the project in a way that is the same on every system: `.cache/ben10`. */
export function isStorageLocation(value: unknown): value is string {
  // As nearly everybody has it: nothing has to be compiled for that.
  if (value === BEN10_DIR) return true;
  if (typeof value !== 'string' || value.length > STORAGE_LOCATION_CHARS_MAX) return false;
  const names = value.split('/');
  // A `.ben10` in another folder would make that folder a project.
  const isProject = names.some((name, depth) => depth > 0 && name.toLowerCase() === BEN10_DIR);
  return (
    !isProject && !TAKEN.has(names[0]!.toLowerCase()) && names.every((name) => NAME.test(name))
  );
}
