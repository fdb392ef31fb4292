import type { FileSystem } from './fs.ts';

/** Writing calls fail as on a read-only disk. */
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
  const message = `EROFS: ben10 is read-only here, ${syscall}${path === undefined ? '' : ` '${path}'`}`;
  throw Object.assign(new Error(message), {
    code: 'EROFS',
    syscall,
    ...(path !== undefined && { path }),
  });
}
