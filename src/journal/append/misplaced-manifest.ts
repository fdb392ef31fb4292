import { type Layout, listOrigins, originDir } from '../format/layout.ts';
import type { Manifest } from '../format/manifest.ts';
import type { ReaderPorts } from '../format/ports.ts';
import { formerOriginsIn, journalIdOf } from '../read/headers.ts';

/**
 * Whether a sound manifest is another journal's, copied over this one's: nothing of the journal that it names is here, and
 * there are segments of another. Or it is from before this one was copied, as a backup or another machine has it: the folder
 * that it names bears another name since. As long as it stands nobody reads the segments; who opens the journal to append, or
 * repairs it, makes one anew from them, as where it is lost. Where the folder of its origin is there, one stat.
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
