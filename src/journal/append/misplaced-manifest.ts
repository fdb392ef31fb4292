import { type Layout, listOrigins, originDir } from '../format/layout.ts';
import type { Manifest } from '../format/manifest.ts';
import type { ReaderPorts } from '../format/ports.ts';
import { formerOriginsIn, journalIdOf } from '../read/headers.ts';

/**
 * Whether a sound manifest belongs to another journal: its own folders are missing, and there are segments of another. Or it
 * is from before this one was copied: its folder has another name now. Segments are unreadable while it stands; a writer or
 * a repair makes a new one from them.
 * @throws as `openSegment`
 */
export function isMisplaced(
  ports: ReaderPorts,
  layout: Layout,
  { journalId, origin, formerly = [] }: Manifest,
): boolean {
  const own = [origin, ...formerly.slice(-1)];
  if (own.some((one) => ports.fs.statIfThere(originDir(layout, one)) !== undefined)) return false;
  const others = listOrigins(ports.fs, layout);
  const ids = others.flatMap((one) => journalIdOf(ports, layout, one) ?? []);
  if (!ids.includes(journalId)) return ids.length > 0;
  return others.some((one) => formerOriginsIn(ports, layout, one).includes(origin));
}
