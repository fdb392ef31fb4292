import { startServer } from './serve.ts';

export { type ServeOptions, startServer } from './serve.ts';

// `ben10 serve` calls `startServer`; the bundle can also be started by itself.
if (require.main === module) void startServer();
