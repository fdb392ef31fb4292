import type { Layout } from './layout.ts';
import { manifestStamp } from './manifest.ts';
import { type Home, homeOf } from './origins.ts';
import type { ReaderPorts } from './ports.ts';

/**
 * Where a journal is, for a process that ends soon and asks some forty times: it looks around once, and again when the
 * manifest is another one. Who runs for long asks `homeOf`, which has an eye on the folders each time.
 */
export class KnownHome {
  readonly #ports: ReaderPorts;
  readonly #layout: Layout;
  #known: { home: Home; stamp: string } | undefined;

  constructor(ports: ReaderPorts, layout: Layout) {
    this.#ports = ports;
    this.#layout = layout;
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
}
