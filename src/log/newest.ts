import { listInbox } from '../journal/append/inbox.ts';
import { typeTag } from '../journal/format/envelope.ts';
import { FRAME_KIND } from '../journal/format/format.ts';
import type { Entry } from '../journal/format/frame.ts';
import { IdMap } from '../journal/read/id-map.ts';
import type { IntegrityCache } from '../journal/read/integrity-cache.ts';
import { journalRange } from '../journal/read/range.ts';
import type { JournalReader } from '../journal/read/reader.ts';
import { oneRoom } from '../journal/read/room.ts';
import type { Project } from '../project/open.ts';

/** Read first; four times as many when that is not enough. */
const READ_FIRST = 100;

interface Wanted {
  types?: readonly string[];
  from?: number;
  to?: number;
}

/**
 * The newest matching entries, oldest first, read from the end, so that a page does not cost the whole journal.
 * @param integrityCache of a lasting process; without it all headers are read
 * @returns undefined when only a full reading can tell: damage, a waiting inbox, or a repeated event
 */
export function newestEntries(
  project: Project,
  { types, from = 1, to }: Wanted,
  limit: number,
  integrityCache?: IntegrityCache,
): Entry[] | undefined {
  const { ports, layout, reader } = project;
  if (to === undefined && listInbox(ports, layout).length > 0) return undefined;
  // First, so that later events are left for the next call.
  const { last } = journalRange(ports, reader);
  for (const _ of integrityCache?.damage() ?? []) return undefined;
  const tags = types && new Set(types.map((type) => typeTag(type, ports.xxh64)));
  let found: Entry[] = [];
  let end = Math.min(to ?? last, last);
  for (let events = READ_FIRST; end >= from && found.length < limit; events *= 4) {
    const start = Math.max(from, end - events + 1);
    const part: Entry[] = [];
    for (const { entry } of reader.entries(start, end)) {
      if (entry === undefined) return undefined;
      if (entry.kind !== FRAME_KIND.event || tags?.has(entry.typeTag) === false) continue;
      if (integrityCache !== undefined && integrityCache.count(entry.id) !== 1) return undefined;
      part.push(entry);
    }
    found = [...part, ...found];
    end = start - 1;
  }
  const newest = found.slice(-limit);
  return integrityCache !== undefined || areToldOnce(newest, reader) ? newest : undefined;
}

/** Whether each occurs once, in a journal without damage. */
function areToldOnce(entries: readonly Entry[], reader: JournalReader): boolean {
  const times = new IdMap();
  for (const { id } of entries) times.set(id, 0);
  for (const batch of reader.batches(undefined, undefined, oneRoom())) {
    for (const { entry } of batch) {
      if (entry === undefined) return false;
      const known = times.get(entry.id);
      if (known === 1) return false;
      if (known === 0) times.set(entry.id, 1);
    }
  }
  return true;
}
