import { type Layout, listOrigin, listOrigins } from '../format/layout.ts';
import type { ReaderPorts } from '../format/ports.ts';
import { homeOf } from '../read/origins.ts';

/**
 * Folders with segments beside the own ones, which are verified and not read: a copy that was put over its original, or the other
 * way round, what a program that syncs brought, another journal. Events may stand there alone.
 * @throws as `homeOf`
 */
export function otherOrigins(ports: ReaderPorts, layout: Layout): string[] {
  const own = homeOf(ports, layout)?.origin;
  return listOrigins(ports.fs, layout).filter(
    (origin) => origin !== own && listOrigin(ports.fs, layout, origin).length > 0,
  );
}

/** How to get at what is in such a folder. */
export const readOthers = (ports: ReaderPorts, layout: Layout): string =>
  `Events may stand there alone. To read them, copy .ben10 into an empty folder, remove journal/manifest and journal/${homeOf(ports, layout)?.origin} there, and run: ben10 log`;
