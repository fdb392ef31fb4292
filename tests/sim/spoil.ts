import type { Chance } from '../damage/chance.ts';
import { DAMAGES, type DamageKind, flipped } from '../damage/damages.ts';
import type { SimDisk } from './disk.ts';
import { fileAt, filesIn } from './image.ts';

/** Beside what happens to one file in `tests/damage`. */
const KINDS: readonly DamageKind[] = [
  ...DAMAGES,
  {
    name: 'one bit',
    damage: (bytes, chance) => flipped(bytes, chance.below(bytes.length * 8)),
  },
  { name: 'a cut', damage: (bytes, chance) => bytes.subarray(0, chance.below(bytes.length)) },
];
/** Of so many damages one takes the whole file. */
const REMOVED_ONE_IN = 8;
/** Of so many damages all but one hit a segment, where there is one. */
const BESIDE_ONE_IN = 4;

const isSegment = (path: string): boolean => /\.b10z?$/.test(path);
const isBeside = (path: string): boolean =>
  /\/(?:manifest|synced|erased)$|\.ckpt$|\.evt$|\/blobs\/../.test(path);

/**
 * Damages one file of a journal, by chance. All that is on the disk stays there but for that.
 * @returns its path; undefined where there is nothing to damage
 */
export function spoil(disk: SimDisk, chance: Chance): string | undefined {
  const files = filesIn(disk.live).filter(
    ([path, bytes]) => !path.endsWith('/') && !path.includes('/quarantine/') && bytes.length > 0,
  );
  const segments = files.filter(([path]) => isSegment(path));
  const beside = files.filter(([path]) => isBeside(path));
  const isOfSegment = beside.length === 0 || chance.below(BESIDE_ONE_IN) > 0;
  const hit = isOfSegment && segments.length > 0 ? segments : beside;
  if (hit.length === 0) return undefined;
  const [path, sound] = chance.pick(hit);
  const { folder, name } = disk.parent(path);
  if (chance.below(REMOVED_ONE_IN) === 0) {
    disk.live.folders.get(folder)!.delete(name);
    return path;
  }
  const kind = chance.pick(KINDS);
  const others = segments.map(([, bytes]) => bytes);
  // Where there is no segment, its own bytes are what could be pasted.
  const bytes = kind.damage(sound, chance, others.length > 0 ? others : [sound]);
  disk.live.files.set(fileAt(disk.live, path)!, Buffer.from(bytes));
  return path;
}

/** Whether events stand in a file of that path. */
export const hasEvents = (path: string): boolean => isSegment(path) || path.endsWith('.evt');
