import { createLogger } from '../platform/logger.ts';
import { ARCHIVE, archiveHere } from './archiving.ts';

export { type HttpOptions, startHttpServer } from './http/serve.ts';
export { type ServeOptions, startServer } from './serve.ts';
export { work } from './worker-process.ts';

// `ben10 serve` calls `startServer`; the bundle is started by itself only to pack what is stored.
if (require.main === module) {
  const [, , what, dir, level] = process.argv;
  if (what === ARCHIVE && dir !== undefined)
    void archiveHere(dir, Number(level), createLogger('info'));
}
