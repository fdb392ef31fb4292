import type { FileStat } from '../../platform/fs.ts';
import type { Frame } from '../format/frame.ts';
import type { SegmentHeader } from '../format/segment.ts';

/** The end of an active segment, as it was read. */
export interface SegmentWindow {
  header: SegmentHeader;
  /** Bytes of the whole file. */
  size: number;
  /** Where in the file the window begins; it goes to the file's end. */
  base: number;
  bytes: Buffer;
  /** What was gone through of it from its end back: where frames start in it, and the seqs that they say. Not checked. */
  back: { at: number; seq: number }[];
  /** Frames that were found sound, by where they start in it. */
  sound: Map<number, Frame>;
}

/** Of so many segments: the newest, and the one in which the older sessions ended that a start asks for. */
const KEPT = 4;

/**
 * What a process that ends soon has read of segments' ends: its folds ask for the same end some forty times.
 *
 * No event is hidden by it. A segment is only ever appended to, so one more event is a greater length, and each time the file
 * is looked at first: another file, length or time of change, and it is read anew. What is changed in its place is what an
 * erasure takes away, and with that all that a process remembers goes (`project/since-erasure.ts`). Of an append that is in
 * flight, and of damage, nothing is believed: who meets it here reads the segment itself.
 */
export class KnownEnds {
  readonly #known = new Map<string, { stamp: string; window: SegmentWindow }>();

  /** @param stat of the file as it is now */
  get(path: string, stat: FileStat): SegmentWindow | undefined {
    const known = this.#known.get(path);
    return known?.stamp === stampOf(stat) ? known.window : undefined;
  }

  /** @param stat of the file before it was read: what is appended meanwhile makes another one of it */
  set(path: string, stat: FileStat, window: SegmentWindow): void {
    this.#known.delete(path);
    this.#known.set(path, { stamp: stampOf(stat), window });
    if (this.#known.size > KEPT) this.#known.delete(this.#known.keys().next().value!);
  }
}

const stampOf = ({ ino, size, mtimeMs }: FileStat): string => `${ino} ${size} ${mtimeMs}`;
