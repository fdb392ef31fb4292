import { CONTAINER_FILE_BYTES_MAX } from '../journal/format/container.ts';
import { isPassedBy, type Refused, refusalOf } from '../journal/read/refused.ts';
import { errno } from '../platform/errors.ts';
import { withFile } from '../platform/files.ts';
import type { Project } from '../project/open.ts';

/** Reads the first byte of a file, of an inbox or of a text. Returns what keeps it from being read, where it is there and not given. */
export function touch({ ports }: Project, file: string): Refused | undefined {
  try {
    withFile(ports.fs, file, CONTAINER_FILE_BYTES_MAX, (_, read) => read(Buffer.alloc(1), 0));
  } catch (error) {
    // Something else in its place is damage, of which `verify` tells.
    if (!isPassedBy(ports, file, error) && errno(error) === undefined) throw error;
  }
  return refusalOf(ports, file);
}
