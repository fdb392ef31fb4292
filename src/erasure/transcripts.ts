import { decodeEvent } from '../events/decode.ts';
import { hasShape } from '../events/shape.ts';
import type { Entry } from '../journal/frame.ts';

/** Types that say where the client keeps a transcript. */
const TELLING = new Set(['session.started', 'transcript.read', 'subagent.stopped']);

/** Where the client itself has written down what is erased: ben10 does not touch those files, but says which they are. */
export class Transcripts {
  readonly #paths = new Map<string, Set<string>>();
  readonly #sessions = new Set<string>();

  /** Call for every event. */
  saw(entry: Entry): void {
    const event = decodeEvent(entry);
    if (event === undefined || event.session === null || !TELLING.has(event.type)) return;
    if (!hasShape(event)) return;
    const { path, transcriptPath = path } = event.data as {
      path?: string;
      transcriptPath?: string;
    };
    if (transcriptPath === undefined) return;
    const known = this.#paths.get(event.session) ?? new Set();
    this.#paths.set(event.session, known.add(transcriptPath));
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
