import type { FileStat } from '../../platform/fs.ts';
import type { Frame } from '../format/frame.ts';
import { type Layout, listOrigin, originDir, type SegmentFile } from '../format/layout.ts';
import type { ReaderPorts } from '../format/ports.ts';
import type { SegmentHeader } from '../format/segment.ts';
import { FolderWatch } from './folder-watch.ts';
import { type Home, homeOf } from './origins.ts';

/**
 * A short-lived process lists the journal's files once, since its folds ask some forty times. It lists them again after it held a
 * lock, and when a file turns out to be gone. Until then it does not see a segment that others begin, but it does see what they
 * append to the newest one (`KnownEnds`). Long-running processes ask `homeOf` each time.
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
    // Not settled: the manifest is lost, or a copied journal's folder is still to be renamed.
    const isSettled = home?.manifest !== undefined && home.origin === home.manifest.origin;
    if (isSettled && found.segments.length > 0) this.#known = found;
    return found;
  }

  /** Makes the next question list the files again. */
  lookAgain(): void {
    this.#known = undefined;
  }

  /** As `lookAgain`, when a listed file is gone: the folder's time of change may not show it. */
  forget(): void {
    this.lookAgain();
    this.#listed.forget();
  }
}

/** The segments of a journal. Its folder, which may hold thousands, is listed again only if a name may have come or gone. */
export class KnownSegments {
  readonly #ports: ReaderPorts;
  readonly #layout: Layout;
  #known: { of: string; watch: FolderWatch; files: SegmentFile[] } | undefined;

  constructor(ports: ReaderPorts, layout: Layout) {
    this.#ports = ports;
    this.#layout = layout;
  }

  /** As `ownSegments`. */
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

  /** Call when a listed file is gone. */
  forget(): void {
    this.#known = undefined;
  }
}

/** The end of a raw segment, as it was read. */
export interface SegmentWindow {
  header: SegmentHeader;
  /** Size of the whole file. */
  size: number;
  /** Offset in the file where the window begins; it reaches to the file's end. */
  base: number;
  bytes: Buffer;
  /** Frames found so far, from the end backwards: offsets in the window, and seqs. Not checked. */
  back: { at: number; seq: number }[];
  /** Frames that are sound, by their offsets in the window. */
  sound: Map<number, Frame>;
}

/** Segments kept: the newest, and those in which older sessions ended that a start asks for. */
const KEPT = 4;

/**
 * Ends of segments that a short-lived process has read; its folds ask for the same end some forty times.
 *
 * No event is hidden by it: segments are only appended to, and a file with another inode, size or time of change is read again.
 * Only an erasure changes bytes in place, and then everything remembered is dropped (`project/since-erasure.ts`).
 */
export class KnownEnds {
  readonly #known = new Map<string, { stamp: string; window: SegmentWindow }>();

  /** @param stat of the file as it is now */
  get(path: string, stat: FileStat): SegmentWindow | undefined {
    const known = this.#known.get(path);
    return known?.stamp === stampOf(stat) ? known.window : undefined;
  }

  /** @param stat of the file before it was read, so that a later append shows */
  set(path: string, stat: FileStat, window: SegmentWindow): void {
    this.#known.delete(path);
    this.#known.set(path, { stamp: stampOf(stat), window });
    if (this.#known.size > KEPT) this.#known.delete(this.#known.keys().next().value!);
  }
}

const stampOf = ({ ino, size, mtimeMs }: FileStat): string => `${ino} ${size} ${mtimeMs}`;
