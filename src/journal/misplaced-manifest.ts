import { type Layout, listOrigins, originDir } from './layout.ts';
import { journalIdOf } from './load.ts';
import type { Manifest } from './manifest.ts';
import type { ReaderPorts } from './ports.ts';

/**
 * Whether a sound manifest is another journal's, copied over this one's: nothing of the journal that it names is here, and
 * there are segments of another. As long as it stands nobody reads those; who opens the journal to append, or repairs it,
 * makes one anew from the segments, as where it is lost. Where nothing but the folder of its origin is there, one stat.
 * @throws as `loadSegment`
 */
export function isMisplaced(
  ports: ReaderPorts,
  layout: Layout,
  { journalId, origin, formerly = [] }: Manifest,
): boolean {
  const own = [origin, ...formerly.slice(-1)];
  if (own.some((one) => ports.fs.statIfThere(originDir(layout, one)) !== undefined)) return false;
  const ids = listOrigins(ports.fs, layout).flatMap((one) => journalIdOf(ports, layout, one) ?? []);
  return ids.length > 0 && !ids.includes(journalId);
}
