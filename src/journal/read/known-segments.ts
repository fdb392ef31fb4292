import { type Layout, listOrigin, originDir, type SegmentFile } from '../format/layout.ts';
import type { ReaderPorts } from '../format/ports.ts';
import { FolderWatch } from './folder-watch.ts';
import type { Home } from './origins.ts';

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
