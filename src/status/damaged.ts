import { SEGMENT_BYTES_DEFAULT } from '../journal/format.ts';
import type { MissingEvents, Outline } from '../journal/outline.ts';
import { surveyOf } from '../journal/survey.ts';
import type { Project } from '../project/open.ts';

/** A journal up to here is read as a whole, bytes: less than a tenth of a second. Of a longer one the newest segment is, no more. */
export const READ_BYTES_MAX = SEGMENT_BYTES_DEFAULT;

/**
 * Events that cannot be read between the ends of the segments, which is all that an outline sees. What was read once and found
 * whole is not read again.
 * @param journalBytes of all segments
 */
export function damagedEvents(
  { ports, reader }: Project,
  outline: Outline,
  journalBytes: number,
): MissingEvents[] {
  const newest = reader.segments().at(-1);
  if (newest === undefined) return [];
  const items =
    journalBytes <= READ_BYTES_MAX
      ? surveyOf(ports, reader).damage()
      : reader.entries(newest.firstSeq);
  const found: MissingEvents[] = [];
  for (const { segment, damage } of items) {
    if (damage === undefined || damage.firstSeq === null) continue;
    const { firstSeq, lastSeq } = damage;
    if (!isKnown(outline, firstSeq)) found.push({ firstSeq, lastSeq, segment });
  }
  return found;
}

const isKnown = ({ missing }: Outline, seq: number): boolean =>
  missing.some(
    ({ firstSeq, lastSeq }) => firstSeq <= seq && seq <= (lastSeq ?? Number.POSITIVE_INFINITY),
  );
