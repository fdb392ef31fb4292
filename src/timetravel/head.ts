import { decodeEvent } from '../events/decode.ts';
import type { Project } from '../project/open.ts';

/** A damaged stretch longer than this leaves a point without a time. */
const SEARCH_BACK = 1000;
/** Nearly always the first event that is looked at has a time: so many times as many are looked at next. */
const WIDER = 8;

/** The time of an event, or of the newest readable one before it; null when there is none. */
export function timeAt(project: Project, seq: number): number | null {
  const first = Math.max(1, seq - SEARCH_BACK);
  let to = seq;
  for (let events = 1; to >= first; events *= WIDER) {
    const from = Math.max(first, to - events + 1);
    let at: number | null = null;
    for (const { entry } of project.reader.entries(from, to)) {
      if (entry !== undefined) at = decodeEvent(entry)?.at ?? at;
    }
    if (at !== null) return at;
    to = from - 1;
  }
  return null;
}
