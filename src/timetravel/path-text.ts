import { headOf } from '../projections/bounds.ts';
import { withVisible } from '../projections/safe-text.ts';

const PATH_CHARS = 400;

/** Paths inside a folder are told from there on. */
export function pathWithin(path: string, directory: string | null): string {
  const prefix = directory === null || directory.length < 2 ? undefined : `${directory}/`;
  return prefix !== undefined && path.startsWith(prefix) ? path.slice(prefix.length) : path;
}

/** A path for people, from a folder on: two that differ look different, whatever is in them. */
export const pathFrom = (path: string, directory: string | null): string =>
  headOf(withVisible(pathWithin(path, directory)), PATH_CHARS);
