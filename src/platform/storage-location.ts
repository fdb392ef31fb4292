/** The default storage folder. The settings are always in this folder. */
export const BEN10_DIR = '.ben10';

export const STORAGE_LOCATION_CHARS_MAX = 200;

/** A folder's name: no separators, drives or streams of any system, no control characters. */
const NAME = /^(?!\.{1,2}$)[^\\/:*?"<>|\x00-\x1f\x7f]*[^\\/:*?"<>|\x00-\x1f\x7f. ]$/;
/** Folders of other programs. */
const TAKEN = new Set(['.git', '.claude', 'node_modules']);

/** Whether a value is a folder inside the project, valid on every system: `.cache/ben10`. */
export function isStorageLocation(value: unknown): value is string {
  // The usual case, without compiling expressions.
  if (value === BEN10_DIR) return true;
  if (typeof value !== 'string' || value.length > STORAGE_LOCATION_CHARS_MAX) return false;
  const names = value.split('/');
  // A `.ben10` in another folder would make that folder a project.
  const isProject = names.some((name, depth) => depth > 0 && name.toLowerCase() === BEN10_DIR);
  return (
    !isProject && !TAKEN.has(names[0]!.toLowerCase()) && names.every((name) => NAME.test(name))
  );
}
