import * as path from 'node:path';

/** True when `file` lies outside `folder`. Both are resolved, absolute paths: links have been followed already. */
export function isOutside(folder: string, file: string): boolean {
  const way = path.relative(folder, file);
  return way === '..' || way.startsWith(`..${path.sep}`) || path.isAbsolute(way);
}
