import { sep } from 'node:path';
import { DENIED, nextWhenDenied } from './denied.ts';
import { Ben10Error, type ErrorCode, errno } from './errors.ts';
import { nodeFs } from './fs.ts';
import { BEN10_DIR } from './storage-location.ts';

const NO_FILE = 'Something else than a file stands there: look at it.';
const OWNERS = 'Check who owns it and its rights.';

/** What the operating system refuses, in ben10's codes, and what to do next. */
const CODES: Readonly<Record<string, [code: ErrorCode, next: string]>> = {
  ENOENT: ['FS_NOT_FOUND', 'Check the path.'],
  ENOTDIR: ['FS_NOT_FOUND', 'Check the path.'],
  ENAMETOOLONG: ['FS_NOT_FOUND', 'Check the path: no file has a name that long.'],
  EACCES: ['FS_PERMISSION_DENIED', OWNERS],
  EPERM: ['FS_PERMISSION_DENIED', OWNERS],
  EROFS: ['FS_WRITE_ERROR', 'This disk can only be read.'],
  ENOSPC: ['FS_WRITE_ERROR', 'Free some space on that disk.'],
  EDQUOT: ['FS_WRITE_ERROR', 'Your quota on that disk is used up.'],
  EMFILE: ['LIMIT_EXCEEDED', 'Raise the limit of open files: ulimit -n 1024'],
  ENFILE: ['LIMIT_EXCEEDED', 'Try again when the machine has fewer files open.'],
  EFBIG: ['LIMIT_EXCEEDED', 'Give a smaller file.'],
  ELOOP: ['JOURNAL_UNSAFE', 'It is a symbolic link, which ben10 does not follow there.'],
  EISDIR: ['FS_READ_ERROR', NO_FILE],
  ENXIO: ['FS_READ_ERROR', NO_FILE],
  EIO: ['FS_READ_ERROR', 'If it is a plain file, its disk is failing: copy from it what you can.'],
};

/** The same error as one of ben10's; undefined when it is not about the system. */
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
