import { headIn } from '../events/decode.ts';
import { typeTag } from '../journal/format/envelope.ts';
import { oneRoom } from '../journal/read/room.ts';
import { segmentSummaryOf } from '../journal/read/segment-summary.ts';
import type { Project } from '../project/open.ts';
import { storedUpto } from '../projections/stored-upto.ts';

/** Whether events are lost or unreadable. */
export interface Losses {
  isAny: boolean;
  /**
   * Threads, by `threadOf`, whose transcripts were read after the last loss. Of others nobody knows how far they
   * were read.
   */
  readSince: ReadonlySet<string>;
}

const READ_TYPE = 'transcript.read';

export const threadOf = (session: string | null, agent: string | null): string =>
  JSON.stringify([session, agent]);

/** Reads the journal once. A lost end shows only by what was stored or synced of it. */
export function lossesIn(project: Project): Losses {
  const { ports, reader } = project;
  const upto = storedUpto(project);
  const tag = typeTag(READ_TYPE, ports.xxh64);
  const readSince = new Set<string>();
  let isAny = false;
  for (const { entry, damage } of reader.entries(undefined, undefined, oneRoom())) {
    if (damage !== undefined) {
      isAny = true;
      if (damage.firstSeq !== null) readSince.clear();
    } else if (entry.typeTag === tag) {
      const head = headIn(entry.payload);
      if (head?.type === READ_TYPE) readSince.add(threadOf(head.session, head.agent));
    }
  }
  const { lastSeq: end, missing } = segmentSummaryOf(ports, reader);
  const isEndLost = upto > end || missing.some(({ lastSeq }) => lastSeq === null || lastSeq > end);
  if (isEndLost) readSince.clear();
  return { isAny: isAny || isEndLost, readSince };
}
