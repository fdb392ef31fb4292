import type { FileSystem } from './fs.ts';

/** The same files, of which nothing can be changed: every call that would write fails as on a disk that is mounted so. */
export const readOnlyFs = (fs: FileSystem): FileSystem => ({
  ...fs,
  open: (path, flags) => (flags === 'r' ? fs.open(path, flags) : refuse('open', path)),
  write: () => refuse('write'),
  truncate: () => refuse('ftruncate'),
  datasync: () => refuse('fdatasync'),
  syncDir: (path) => refuse('fsync', path),
  rename: (from) => refuse('rename', from),
  unlink: (path) => refuse('unlink', path),
  mkdir: (path) => refuse('mkdir', path),
});

function refuse(syscall: string, path?: string): never {
  const message = `EROFS: ben10 only reads here, ${syscall}${path === undefined ? '' : ` '${path}'`}`;
  throw Object.assign(new Error(message), {
    code: 'EROFS',
    syscall,
    ...(path !== undefined && { path }),
  });
}
