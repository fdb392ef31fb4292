import { errno } from '../../platform/errors.ts';
import { randomHex } from '../../platform/random.ts';
import { type Layout, originDir } from '../format/layout.ts';
import { type Manifest, type Place, placeOf, writeManifest } from '../format/manifest.ts';
import type { JournalPorts, ReaderPorts } from '../format/ports.ts';

/** Folders that are remembered, newest last: a container and its host may see one folder in different ways. */
export const PLACES_MAX = 8;
/** A journal that was copied on and on more often than this keeps its last origin. */
export const FORMER_ORIGINS_MAX = 256;

/**
 * Gives a copied journal an origin of its own: two journals that diverge must not both claim to be one. A moved folder is no
 * copy, a restored backup is. Call with the lock held.
 * The manifest is written first, then the origin's folder is renamed; if a crash separates the two, the next writer renames
 * it.
 * @returns the manifest that holds from now on
 */
export function settleCopy(ports: JournalPorts, layout: Layout, manifest: Manifest): Manifest {
  if (folderOf(ports, layout, manifest) !== manifest.origin) rename(ports, layout, manifest);
  const here = placeOf(ports, layout);
  const { places = [], formerly = [], origin } = manifest;
  // An unfinished erasure names the origin in which it has to be finished.
  if (places.some((place) => isSame(place, here)) || manifest.erasing !== undefined)
    return manifest;
  const isFirst = places.length === 0 || formerly.length >= FORMER_ORIGINS_MAX;
  const settled: Manifest = {
    ...manifest,
    ...(isFirst ? {} : { origin: randomHex(ports.random, 16), formerly: [...formerly, origin] }),
    places: [...places, here].slice(-PLACES_MAX),
  };
  writeManifest(ports, layout, settled);
  if (!isFirst) rename(ports, layout, settled);
  return settled;
}

/**
 * Starts a new origin if neither segments nor a sync hint are left: seqs begin at 1 again, and segments that come back from
 * a backup keep their own folder. Call with the lock held. @returns the manifest that holds from now on
 */
export function beginAnew(ports: JournalPorts, layout: Layout, manifest: Manifest): Manifest {
  const { formerly: _, ...kept } = manifest;
  const begun: Manifest = { ...kept, origin: randomHex(ports.random, 16) };
  writeManifest(ports, layout, begun);
  return begun;
}

/** The birth time decides if it is known: inode numbers change on some file systems, and are reused on others. */
function isSame([ino, bornMs]: Place, [hereIno, hereBornMs]: Place): boolean {
  return bornMs > 0 && hereBornMs > 0 ? bornMs === hereBornMs : ino === hereIno;
}

/** The folder of the journal's own segments: still the former name if a rename was cut off. */
export function folderOf({ fs }: ReaderPorts, layout: Layout, manifest: Manifest): string {
  const { origin, formerly } = manifest;
  const former = formerly?.at(-1);
  if (former === undefined || fs.statIfThere(originDir(layout, origin)) !== undefined)
    return origin;
  return fs.statIfThere(originDir(layout, former)) === undefined ? origin : former;
}

function rename({ fs }: JournalPorts, layout: Layout, { origin, formerly }: Manifest): void {
  try {
    fs.rename(originDir(layout, formerly!.at(-1)!), originDir(layout, origin));
  } catch (error) {
    if (errno(error) !== 'ENOENT') throw error;
    return; // a journal without any segment
  }
  fs.syncDir(layout.journal);
}

/** All that the headers of the own segments may say as their origin. */
export const originsOf = ({ origin, formerly = [] }: Manifest): string[] => [...formerly, origin];
