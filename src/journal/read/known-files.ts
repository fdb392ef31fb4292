import type { FileStat } from '../../platform/fs.ts';
import type { Frame } from '../format/frame.ts';
import { type Layout, listOrigin, originDir, type SegmentFile } from '../format/layout.ts';
import type { ReaderPorts } from '../format/ports.ts';
import type { SegmentHeader } from '../format/segment.ts';
import { FolderWatch } from './folder-watch.ts';
import { type Home, homeOf } from './origins.ts';

/**
 * Where a journal's files are, as a process that ends soon found it when it looked last: its folds ask some forty times. It looks
 * again whenever it held a lock, for which it may have waited while others wrote, and where a file turns out to be gone; until
 * then a segment that others begin is not seen, and what they append to the newest one is (`KnownEnds`). Who runs for long
 * asks `homeOf`, which has an eye on the folders each time.
 */
export class KnownFiles {
  readonly ends = new KnownEnds();
  readonly #listed: KnownSegments;
  readonly #ports: ReaderPorts;
  readonly #layout: Layout;
  #known: { home: Home | undefined; segments: SegmentFile[] } | undefined;

  constructor(ports: ReaderPorts, layout: Layout) {
    this.#ports = ports;
    this.#layout = layout;
    this.#listed = new KnownSegments(ports, layout);
  }

  /**
   * As `homeOf`.
   * @throws as `homeOf`
   */
  home(): Home | undefined {
    return this.#look().home;
  }

  /** As `ownSegments`. */
  segments(): SegmentFile[] {
    return [...this.#look().segments];
  }

  #look(): { home: Home | undefined; segments: SegmentFile[] } {
    if (this.#known !== undefined) return this.#known;
    const home = homeOf(this.#ports, this.#layout);
    const found = { home, segments: home === undefined ? [] : this.#listed.of(home) };
    // Without a manifest the segments say where it is; a copied journal's folder is still to be renamed.
    const isSettled = home?.manifest !== undefined && home.origin === home.manifest.origin;
    if (isSettled && found.segments.length > 0) this.#known = found;
    return found;
  }

  /** The next one who asks is told what is there then. */
  lookAgain(): void {
    this.#known = undefined;
  }

  /** As `lookAgain`, where what was listed turned out not to be there: a folder's time of change may not tell. */
  forget(): void {
    this.lookAgain();
    this.#listed.forget();
  }
}

/** The segments of a journal, whose folder is listed anew only where a name may have come or gone: a long one has thousands. */
export class KnownSegments {
  readonly #ports: ReaderPorts;
  readonly #layout: Layout;
  #known: { of: string; watch: FolderWatch; files: SegmentFile[] } | undefined;

  constructor(ports: ReaderPorts, layout: Layout) {
    this.#ports = ports;
    this.#layout = layout;
  }

  /** As `ownSegments`, of a journal that was found. */
  of(home: Home): SegmentFile[] {
    const { origin, journalId, origins } = home;
    const of = `${origin} ${journalId} ${origins.join()}`;
    const watch =
      this.#known?.of === of
        ? this.#known.watch
        : new FolderWatch(this.#ports, originDir(this.#layout, origin));
    watch.look();
    if (!watch.isUnchanged) {
      this.#known = { of, watch, files: listOrigin(this.#ports.fs, this.#layout, origin, home) };
      watch.seen(true);
    }
    return [...this.#known!.files];
  }

  /** Call when what was listed turned out not to be there. */
  forget(): void {
    this.#known = undefined;
  }
}

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
