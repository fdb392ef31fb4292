import type { Layout, SegmentFile } from '../format/layout.ts';
import type { ReaderPorts } from '../format/ports.ts';
import { KnownEnds } from './known-ends.ts';
import { KnownSegments } from './known-segments.ts';
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
