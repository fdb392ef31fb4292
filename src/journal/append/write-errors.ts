import { DENIED, nextWhenDenied } from '../../platform/denied.ts';
import { Ben10Error, errno } from '../../platform/errors.ts';
import { SOCKET } from '../../platform/files.ts';
import { nodeFs } from '../../platform/fs.ts';
import { BODY_BYTES_MAX, ID_BYTES, SALT_BYTES } from '../format/format.ts';
import type { NewEvent } from './inbox.ts';

/** @throws Ben10Error LIMIT_EXCEEDED; RangeError when the caller made a mistake */
export function assertFits(event: NewEvent): void {
  if (event.id.length !== ID_BYTES) throw new RangeError('an event id has 16 bytes');
  if (event.payload.length === 0) throw new RangeError('an event has a body');
  const bytes = SALT_BYTES + event.payload.length;
  if (bytes <= BODY_BYTES_MAX) return;
  throw new Ben10Error(
    'LIMIT_EXCEEDED',
    `an event of ${bytes} bytes; the limit is ${BODY_BYTES_MAX}`,
    {
      next: 'Large payloads belong into blobs/, which capture does by itself: please report this.',
    },
  );
}

/** @throws an error with a system's code, so that the events go to the inbox: only a damaged journal runs out of seqs */
export function assertSeq(seq: number): void {
  if (Number.isSafeInteger(seq)) return;
  throw Object.assign(new Error('the journal has no seq left'), { code: 'EOVERFLOW' });
}

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
/** A link, or a file in the place of a folder. */
const REPLACED = new Set(['ELOOP', 'ENOTDIR']);
/** A folder, a pipe or a device in the place of a file; a socket. */
const NO_FILE = new Set(['EISDIR', ...SOCKET]);

/** A system error in the words of who has to fix it; other errors stay as they are. */
export function asWriteError(error: unknown, file: string): unknown {
  const name = errno(error);
  if (name === undefined || error instanceof Ben10Error) return error;
  const { path } = error as { path?: unknown };
  const [code, next] = meaningOf(name, typeof path === 'string' ? path : file);
  return new Ben10Error(code, `the journal cannot be written: ${(error as Error).message}`, {
    place: { file },
    next,
    cause: error,
  });
}

function meaningOf(
  name: string,
  denied: string,
): ['FS_PERMISSION_DENIED' | 'JOURNAL_UNSAFE' | 'FS_WRITE_ERROR', string] {
  if (DENIED.has(name)) return ['FS_PERMISSION_DENIED', nextWhenDenied(nodeFs, denied)];
  if (name === 'EROFS')
    return [
      'FS_PERMISSION_DENIED',
      'Have its disk mounted for writing, or move the project to one that is, then run it again.',
    ];
  if (REPLACED.has(name))
    return [
      'JOURNAL_UNSAFE',
      'Remove the link or file that stands in its place, then run: ben10 init',
    ];
  if (NO_FILE.has(name))
    return ['JOURNAL_UNSAFE', 'Move away what stands there, then run: ben10 verify'];
  if (FULL.has(name)) return ['FS_WRITE_ERROR', 'Free some space, then run it again.'];
  return ['FS_WRITE_ERROR', 'Run: ben10 doctor'];
}
