import { decodeEvent } from '../events/decode.ts';
import type { Project } from '../project/open.ts';

/** A damaged stretch longer than this leaves a point without a time. */
const SEARCH_BACK = 1000;

/** The time of an event, or of the newest readable one before it; null when there is none. */
export function timeAt(project: Project, seq: number): number | null {
  let at: number | null = null;
  for (const { entry } of project.reader.entries(Math.max(1, seq - SEARCH_BACK), seq)) {
    if (entry !== undefined) at = decodeEvent(entry)?.at ?? at;
  }
  return at;
}
