import * as path from 'node:path';

/** Whether `file` is outside `folder`. Both are absolute, with links resolved. */
export function isOutside(folder: string, file: string): boolean {
  const way = path.relative(folder, file);
  return way === '..' || way.startsWith(`..${path.sep}`) || path.isAbsolute(way);
}
