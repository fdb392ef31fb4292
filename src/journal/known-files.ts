import { KnownEnds } from './known-ends.ts';
import { KnownSegments } from './known-segments.ts';
import type { Layout, SegmentFile } from './layout.ts';
import { manifestStamp } from './manifest.ts';
import { type Home, homeOf } from './origins.ts';
import type { ReaderPorts } from './ports.ts';

/**
 * What of a journal's files a process remembers that ends soon and asks for them some forty times: where they are, until the
 * manifest is another one, and how its segments end. Who runs for long asks `homeOf`, which has an eye on the folders each time.
 */
export class KnownFiles {
  readonly ends = new KnownEnds();
  readonly listed: KnownSegments;
  readonly #ports: ReaderPorts;
  readonly #layout: Layout;
  #known: { home: Home; stamp: string } | undefined;

  constructor(ports: ReaderPorts, layout: Layout) {
    this.#ports = ports;
    this.#layout = layout;
    this.listed = new KnownSegments(ports, layout);
  }

  /**
   * As `homeOf`.
   * @throws as `homeOf`
   */
  home(): Home | undefined {
    const stamp = manifestStamp(this.#ports, this.#layout);
    if (this.#known?.stamp === stamp) return this.#known.home;
    // Read after it was looked at: what changes in between is seen the next time.
    const home = homeOf(this.#ports, this.#layout);
    // Without a manifest the segments say it; a copied journal's folder is still to be renamed.
    const isSettled = home?.manifest !== undefined && home.origin === home.manifest.origin;
    this.#known = isSettled && stamp !== '' ? { home, stamp } : undefined;
    return home;
  }

  /** As `ownSegments`. */
  segments(): SegmentFile[] {
    const home = this.home();
    return home === undefined ? [] : this.listed.of(home);
  }
}
