import { sep } from 'node:path';
import { DENIED, nextWhenDenied } from './denied.ts';
import { Ben10Error, type ErrorCode, errno } from './errors.ts';
import { nodeFs } from './fs.ts';
import { BEN10_DIR } from './storage-location.ts';

const NO_FILE = 'Check what is there: it is not a regular file.';
const OWNERS = 'Check its owner and permissions.';

/** Errors of the operating system, as codes of ben10. */
const CODES: Readonly<Record<string, [code: ErrorCode, next: string]>> = {
  ENOENT: ['FS_NOT_FOUND', 'Check the path.'],
  ENOTDIR: ['FS_NOT_FOUND', 'Check the path.'],
  ENAMETOOLONG: ['FS_NOT_FOUND', 'Check the path: the name is too long.'],
  EACCES: ['FS_PERMISSION_DENIED', OWNERS],
  EPERM: ['FS_PERMISSION_DENIED', OWNERS],
  EROFS: ['FS_WRITE_ERROR', 'This disk is read-only.'],
  ENOSPC: ['FS_WRITE_ERROR', 'Free some space on that disk.'],
  EDQUOT: ['FS_WRITE_ERROR', 'Your quota on that disk is used up.'],
  EMFILE: ['LIMIT_EXCEEDED', 'Raise the limit of open files: ulimit -n 1024'],
  ENFILE: ['LIMIT_EXCEEDED', 'Close other programs and try again.'],
  EFBIG: ['LIMIT_EXCEEDED', 'Give a smaller file.'],
  ELOOP: ['JOURNAL_UNSAFE', 'It is a symbolic link, which ben10 does not follow.'],
  EISDIR: ['FS_READ_ERROR', NO_FILE],
  ENXIO: ['FS_READ_ERROR', NO_FILE],
  EIO: ['FS_READ_ERROR', 'If it is a regular file, its disk is failing: back it up now.'],
};

/** The matching Ben10Error; undefined for other errors. */
export function ofSystem(error: unknown): Ben10Error | undefined {
  const known = CODES[errno(error) ?? ''];
  if (known === undefined) return undefined;
  const [code, next] = known;
  const { path, message } = error as { path?: unknown; message: string };
  if (typeof path !== 'string') return new Ben10Error(code, message, { next, cause: error });
  const isOurs = DENIED.has(errno(error)) && path.split(sep).includes(BEN10_DIR);
  return new Ben10Error(code, message, {
    place: { file: path },
    next: isOurs ? nextWhenDenied(nodeFs, path) : next,
    cause: error,
  });
}
