import { layoutOf, listSegments } from '../../src/journal/format/layout.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { nodeFs } from '../../src/platform/fs.ts';

/** Whom of some writers to kill and when: from when it says that it is about to append anything, or something large. */
export interface Aim {
  at: 'intent' | 'large';
  /** Not at the first time that it says so, but at this one. */
  nth: number;
  /** The first of them all who says so; else one that was chosen before. */
  isAnybody: boolean;
  /** Chooses the moment from then on. `isGone` tells when nothing is to be chosen any more. */
  shoot: (kill: () => void, isGone: () => boolean) => void;
}

/** How many appends are let pass at most, of all writers together. */
const APPENDS_MAX = 8;

/** A tenth dies whenever it is, most soon after they begin an append, a fifth in the middle of a large write. */
export function aim(random: () => number, root: string, writers: number): Aim | undefined {
  const [kind, when, which] = [random(), random(), random()];
  if (kind < 0.1) return undefined;
  if (kind >= 0.8) return inLargeWrite(root);
  const delayMs = when * 3;
  const nth = 1 + Math.floor((which * APPENDS_MAX) / writers);
  // At once, unless the wait is one that a timer can tell.
  const shoot: Aim['shoot'] = (kill) => (delayMs < 1 ? kill() : void setTimeout(kill, delayMs));
  return { at: 'intent', nth, isAnybody: false, shoot };
}

export const inLargeWrite = (root: string): Aim => ({
  at: 'large',
  nth: 1,
  isAnybody: true,
  shoot: (kill, isGone) => whenGrowing(root, kill, isGone),
});

/** Between two looks at a file; a megabyte is written in some tenths of a millisecond. */
const LOOK_MS = 0.1;
/** A file that grows by more than this does not grow by a header, nor by a small event of somebody else. */
const SMALL_BYTES = 32 * 1024;

/** Acts as soon as a large write is seen at work: then it is half done. */
function whenGrowing(root: string, act: () => void, isGone: () => boolean): void {
  let newest = newestSegment(root);
  let before = sizeOf(newest);
  const look = () => {
    if (isGone()) return;
    const now = newestSegment(root);
    if (now !== newest) [newest, before] = [now, 0];
    if (sizeOf(newest) > before + SMALL_BYTES) return act();
    systemClock.sleep(LOOK_MS);
    setImmediate(look);
  };
  look();
}

const newestSegment = (root: string): string | undefined =>
  listSegments(nodeFs, layoutOf(root)).at(-1)?.path;

const sizeOf = (file: string | undefined): number =>
  file === undefined ? 0 : (nodeFs.statIfThere(file)?.size ?? 0);
