import { SEGMENT_BYTES_MAX } from '../../journal/format/format.ts';
import { isForeign } from '../../journal/format/layout.ts';
import type { JournalReader } from '../../journal/read/reader.ts';
import type { Refused } from '../../journal/read/refused.ts';
import { isText } from '../../journal/verify/gaps.ts';
import { BRING_BACK, TAKEN_AWAY } from '../../journal/verify/taken-away.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { bytes, count, plural } from './format.ts';
import { wrap } from './wrap.ts';

/** For a journal whose folder was removed. */
export const GONE = 'The journal is gone.';
export const goneLine = (): string =>
  wrap(`${TAKEN_AWAY[0]!.toUpperCase()}${TAKEN_AWAY.slice(1)}. ${BRING_BACK}`);

interface DamagedPlace {
  segment: string;
  kind: string;
  offset: number;
  bytes: number;
  firstSeq: number | null;
  lastSeq: number | null;
  /** Set for a file that exists but could not be read. */
  refused?: Refused;
}

/** Kind, file, byte and size, for a table. */
export function placeCells(damage: DamagedPlace): string[] {
  const { kind, segment, offset } = damage;
  if (kind === 'missing') return [kind, aroundMissing(damage), '-', '-'];
  if (damage.refused !== undefined)
    return ['unreadable', segment, '-', damage.bytes === 0 ? '-' : bytes(damage.bytes)];
  return [kind, segment, count(offset), bytes(damage.bytes)];
}

/** Whether events are missing before or after the segment, whose name is its first seq. */
export function aroundMissing({
  segment,
  firstSeq,
}: Pick<DamagedPlace, 'segment' | 'firstSeq'>): string {
  const starts = Number.parseInt(segment.slice(segment.lastIndexOf('/') + 1), 10);
  if (Number.isNaN(starts)) return '-'; // no segment is left
  return firstSeq !== null && firstSeq < starts ? `before ${segment}` : `after ${segment}`;
}

/**
 * Whether more events may be lost than listed: after all known events, the sync hint only gives a lower bound.
 * @param known see `knownUpto`
 */
export function isAtLeast(damage: DamagedPlace, known: number): boolean {
  const { segment, kind, lastSeq } = damage;
  if (lastSeq === null || lastSeq <= known || isForeign({ segment })) return false;
  if (kind === 'missing') return !aroundMissing(damage).startsWith('before');
  return kind === 'segment-header' || kind === 'tail' || kind === 'index';
}

/** The last seq that is known to have existed: it was read, or is before the first seq of a segment, which is its name. */
export const knownUpto = (reader: JournalReader, lastSeq: number): number =>
  Math.max(lastSeq, (reader.segments().at(-1)?.firstSeq ?? 1) - 1);

/** What is lost. If a blob is lost, only a text of its event is missing. */
export function lossCell(damage: DamagedPlace): string {
  const { kind, segment, bytes: size, firstSeq, lastSeq } = damage;
  if (kind === 'manifest') return 'none';
  if (isForeign({ segment })) return 'none here';
  if (isTooLarge({ kind, bytes: size })) return `${eventRange(firstSeq, lastSeq)} hidden`;
  if (damage.refused !== undefined && firstSeq !== null) {
    const events = eventRange(firstSeq, lastSeq);
    return kind === 'blob' ? `text of ${events} hidden` : `${events} hidden`;
  }
  if (kind !== 'blob') return eventRange(firstSeq, lastSeq);
  return firstSeq === null ? 'none' : `text of ${eventRange(firstSeq, lastSeq)}`;
}

/** What a repair recorded as lost: events, or texts of events. */
export function recordedLossCell(
  loss: Pick<DamagedPlace, 'segment' | 'firstSeq' | 'lastSeq'>,
): string {
  if (loss.firstSeq === null) return loss.segment;
  const kind = isText(loss) ? 'blob' : 'missing';
  return lossCell({ ...loss, kind, offset: 0, bytes: 0 });
}

/** A sentence with the number of damaged places and of unreadable files. */
export function damagedIn(
  found: readonly Pick<DamagedPlace, 'refused'>[],
  is: 'is' | 'is still' = 'is',
): string {
  const closed = found.filter(({ refused }) => refused !== undefined).length;
  const places = found.length - closed;
  const files = `${plural(closed, 'file')} of it cannot be read`;
  if (places === 0 && closed > 0) return `The journal ${is} not known to be sound: ${files}`;
  const damaged = `The journal ${is} damaged in ${plural(places, 'place')}`;
  return closed === 0 ? damaged : `${damaged}, and ${files}`;
}

/** Unreadable files with the reason and what to do. Paths and commands are not wrapped. */
export function refusedLines(found: readonly Refused[]): string[] {
  if (found.length === 0) return [];
  const shown = found.flatMap(({ file, why, next }) => [
    `  ${oneLine(file)}: ${why}`,
    `    ${oneLine(next)}`,
  ]);
  return [wrap(REFUSED), ...shown];
}

const REFUSED =
  'These files exist but cannot be read, so their events may not be lost. The error of the system, and what to do:';

/** A segment to which something was appended: no reader opens it, but its events may be intact. */
export const isTooLarge = ({ kind, bytes: size }: Pick<DamagedPlace, 'kind' | 'bytes'>): boolean =>
  kind === 'segment-header' && size > SEGMENT_BYTES_MAX;

/** `@7`, `@7 to @9`, `from @7 on`. */
function eventRange(first: number | null, last: number | null): string {
  if (first === null) return last === null ? 'not known' : `up to @${last}`;
  if (last === null) return `from @${first} on`;
  return first === last ? `@${first}` : `@${first} to @${last}`;
}
