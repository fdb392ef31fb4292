import { existsSync, readFileSync } from 'node:fs';
import { BEN10_DIR } from './storage-location.ts';

/** In `.ben10`: the program by whose path alone the project's hooks run, after `init --local`. */
export const LOCAL_COPY = 'local';
/** What hooks of `init --local` say. */
export const LOCAL_MARK = '--local';

/**
 * Whether this hook must leave the event to the hooks of `init --local`: the client runs the user's and the team's hooks, too.
 * Not if that program is gone.
 */
export function isLeftToLocal(dir: string, mark: string | undefined): boolean {
  if (mark === LOCAL_MARK) return false;
  const file = `${dir}/${BEN10_DIR}/${LOCAL_COPY}`;
  try {
    // An error costs more than a look.
    return existsSync(file) && existsSync(readFileSync(file, 'utf8').trim());
  } catch {
    return false; // unreadable
  }
}
