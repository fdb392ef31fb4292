import { CONTAINER_FILE_BYTES_MAX } from '../journal/format/container.ts';
import { isPassedBy, type Refused, refusalOf } from '../journal/read/refused.ts';
import { errno } from '../platform/errors.ts';
import { withFile } from '../platform/files.ts';
import type { Project } from '../project/open.ts';

/** Reads the first byte of an inbox file or a blob. Returns why an existing file cannot be read. */
export function touch({ ports }: Project, file: string): Refused | undefined {
  try {
    withFile(ports.fs, file, CONTAINER_FILE_BYTES_MAX, (_, read) => read(Buffer.alloc(1), 0));
  } catch (error) {
    // `verify` reports what is not a file.
    if (!isPassedBy(ports, file, error) && errno(error) === undefined) throw error;
  }
  return refusalOf(ports, file);
}
