import { decodeEvent } from '../events/decode.ts';
import type { Entry } from '../journal/format/frame.ts';
import { transcriptOf } from './sources.ts';

/** Where the client itself has written down what is erased: ben10 does not touch those files, but says which they are. */
export class Transcripts {
  readonly #paths = new Map<string, Set<string>>();
  readonly #sessions = new Set<string>();

  /** Call for every event. */
  saw(entry: Entry): void {
    const event = decodeEvent(entry);
    const source = event && transcriptOf(event);
    if (source === undefined) return;
    const known = this.#paths.get(source.session) ?? new Set();
    this.#paths.set(source.session, known.add(source.path));
  }

  /** Call for every event that has to go. */
  wants(entry: Entry): void {
    const session = decodeEvent(entry)?.session;
    if (session !== null && session !== undefined) this.#sessions.add(session);
  }

  paths(): string[] {
    const wanted = [...this.#sessions].flatMap((session) => [...(this.#paths.get(session) ?? [])]);
    return [...new Set(wanted)].sort();
  }
}
