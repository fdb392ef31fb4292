import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { isOutside } from '../../platform/inside.ts';

/** Project files are written by hand; larger ones are skipped. */
const FILE_BYTES_MAX = 512 * 1024;
/** Names of one folder that are examined. */
const NAMES_MAX = 1000;

/**
 * A file's text; undefined if it is missing, no file, too large, or behind a link that leaves the folder: a cloned
 * project must not choose what is read.
 */
export function readInside(dir: string, name: string): string | undefined {
  try {
    const real = realpathSync(path.resolve(dir, name));
    if (isOutside(realpathSync(dir), real)) return undefined;
    const stat = statSync(real);
    if (!stat.isFile() || stat.size > FILE_BYTES_MAX) return undefined;
    return readFileSync(real, 'utf8');
  } catch {
    return undefined;
  }
}

/** Sorted names in a folder inside of `dir`; none if it is missing. */
export function namesInside(dir: string, name: string): string[] {
  try {
    const real = realpathSync(path.resolve(dir, name));
    if (isOutside(realpathSync(dir), real)) return [];
    return readdirSync(real).sort().slice(0, NAMES_MAX);
  } catch {
    return [];
  }
}
