import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { isOutside } from '../../platform/inside.ts';

/** A file that describes a project is written by hand. */
const FILE_BYTES_MAX = 512 * 1024;
/** Names of one folder that are looked at. */
const NAMES_MAX = 1000;

/**
 * A file's text; undefined when it is not there, no file, too large, or reached by a link that leaves the folder: a
 * cloned project must not choose what is read.
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

/** The names in a folder inside of `dir`, sorted; none when it is not there. */
export function namesInside(dir: string, name: string): string[] {
  try {
    const real = realpathSync(path.resolve(dir, name));
    if (isOutside(realpathSync(dir), real)) return [];
    return readdirSync(real).sort().slice(0, NAMES_MAX);
  } catch {
    return [];
  }
}
