import { hasBlob } from '../journal/append/blobs.ts';
import type { NewEvent } from '../journal/append/inbox.ts';
import type { Layout } from '../journal/format/layout.ts';
import type { JournalPorts } from '../journal/format/ports.ts';
import type { PutBlob } from './payload.ts';

/** Blobs of events that are not appended yet. */
export class LargeTexts {
  readonly #ports: JournalPorts;
  readonly #layout: Layout;
  readonly #putBlob: PutBlob;
  readonly #texts = new Map<string, Buffer>();

  constructor(ports: JournalPorts, layout: Layout, putBlob: PutBlob) {
    this.#ports = ports;
    this.#layout = layout;
    this.#putBlob = putBlob;
  }

  readonly put: PutBlob = (bytes) => {
    const name = this.#putBlob(bytes);
    if (name !== '') this.#texts.set(name, bytes);
    return name;
  };

  /** The event, with what stores its blobs again. */
  kept(event: NewEvent): NewEvent {
    // A search for the name is enough, and hooks need no decoder.
    const texts = [...this.#texts].filter(([name]) => event.payload.includes(name));
    if (texts.length === 0) return event;
    const putAgain = () => {
      for (const [name, bytes] of texts)
        if (!hasBlob(this.#ports, this.#layout, name)) this.#putBlob(bytes);
    };
    return { ...event, putAgain };
  }
}
