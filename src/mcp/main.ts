import { JOB, runJobApart } from './jobs.ts';

export { type HttpOptions, startHttpServer } from './http/serve.ts';
export { type ServeOptions, startServer } from './serve.ts';
export { work } from './worker-process.ts';

// `ben10 serve` calls `startServer`; the bundle is started by itself only to do a job of its own.
if (require.main === module) {
  const [, , what, name, dir] = process.argv;
  if (what === JOB && name !== undefined && dir !== undefined) void runJobApart(name, dir);
}
