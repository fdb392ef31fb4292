import { createLogger } from '../platform/logger.ts';
import { ARCHIVE, archiveHere } from './archiving.ts';
import { startServer } from './serve.ts';

export { type ServeOptions, startServer } from './serve.ts';
export { work } from './worker-process.ts';

// `ben10 serve` calls `startServer`; the bundle can also be started by itself, and starts itself to pack what is stored.
if (require.main === module) {
  const [, , what, dir, level] = process.argv;
  if (what === ARCHIVE && dir !== undefined)
    void archiveHere(dir, Number(level), createLogger('info'));
  else void startServer();
}
