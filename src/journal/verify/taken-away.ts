import { listBlobs } from '../append/blobs.ts';
import { listInbox } from '../append/inbox.ts';
import { derivedFiles } from '../erase/derived.ts';
import type { Layout } from '../format/layout.ts';
import type { JournalPorts } from '../format/ports.ts';
import { ownSegments } from '../read/origins.ts';

/**
 * Whether there are stored states or blobs, but no segment: `git clean` or a sync program removed the events, together with the
 * hint that would tell how many there were. Cheap if there is a segment.
 * @throws as `homeOf`
 */
export function isTakenAway(ports: JournalPorts, layout: Layout): boolean {
  // The blob of a waiting event comes before its event.
  if (ownSegments(ports, layout).length > 0 || listInbox(ports, layout).length > 0) return false;
  return listBlobs(ports, layout).length > 0 || derivedFiles(ports, layout, 0).states.length > 0;
}

export const TAKEN_AWAY =
  "what ben10 stored about the journal's events is there, but the events are not: something removed them";
export const BRING_BACK =
  "Put .ben10/journal back from a backup before more is recorded. What the client's transcripts still hold comes back with: ben10 import";
