import { SEGMENT_BYTES_MAX } from '../../journal/format/format.ts';
import { isForeign } from '../../journal/format/layout.ts';
import type { JournalReader } from '../../journal/read/reader.ts';
import type { Refused } from '../../journal/read/refused.ts';
import { isText } from '../../journal/verify/gaps.ts';
import { BRING_BACK, TAKEN_AWAY } from '../../journal/verify/taken-away.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { eventRange } from './event-range.ts';
import { bytes, count, plural } from './format.ts';
import { TEXT_WIDTH, wrap } from './wrap.ts';

/** Of a journal that was taken away: the verdict, and what to do. */
export const GONE = 'The journal is gone.';
export const goneLine = (): string =>
  wrap(`${TAKEN_AWAY[0]!.toUpperCase()}${TAKEN_AWAY.slice(1)}. ${BRING_BACK}`, TEXT_WIDTH);

/** A damaged place, as `verify` and a plan of a repair give it. */
interface DamagedPlace {
  segment: string;
  kind: string;
  offset: number;
  bytes: number;
  firstSeq: number | null;
  lastSeq: number | null;
  /** Of a file that is there and was not given. */
  refused?: Refused;
}

/** Kind, file, byte and size of a damaged place, for a table. What is missing stands in no file. */
export function placeCells(damage: DamagedPlace): string[] {
  const { kind, segment, offset } = damage;
  if (kind === 'missing') return [kind, aroundMissing(damage), '-', '-'];
  if (damage.refused !== undefined)
    return ['unreadable', segment, '-', damage.bytes === 0 ? '-' : bytes(damage.bytes)];
  return [kind, segment, count(offset), bytes(damage.bytes)];
}

/** A segment is named by its first seq: what is missing stands before the one that is told of, or after the last one. */
export function aroundMissing({
  segment,
  firstSeq,
}: Pick<DamagedPlace, 'segment' | 'firstSeq'>): string {
  const starts = Number.parseInt(segment.slice(segment.lastIndexOf('/') + 1), 10);
  if (Number.isNaN(starts)) return '-'; // no segment is left
  return firstSeq !== null && firstSeq < starts ? `before ${segment}` : `after ${segment}`;
}

/**
 * Whether what is lost ends where the sync hint says, behind all that is known of: more may have been appended since.
 * @param known the last seq that was read, or stands before a segment: its name says so; 0 if there is none
 */
export function isAtLeast(damage: DamagedPlace, known: number): boolean {
  const { segment, kind, lastSeq } = damage;
  if (lastSeq === null || lastSeq <= known || isForeign({ segment })) return false;
  if (kind === 'missing') return !aroundMissing(damage).startsWith('before');
  return kind === 'segment-header' || kind === 'tail' || kind === 'index';
}

/** Up to there each event was read or is known to have been there: a segment that is behind it bears its seq as a name. */
export const knownUpto = (reader: JournalReader, lastSeq: number): number =>
  Math.max(lastSeq, (reader.segments().at(-1)?.firstSeq ?? 1) - 1);

/** What this journal has lost there. A blob's events are there: what they kept in it is not. */
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

/** What a repair recorded as lost: events, or what some of them kept in a blob. */
export function recordedLossCell(
  loss: Pick<DamagedPlace, 'segment' | 'firstSeq' | 'lastSeq'>,
): string {
  if (loss.firstSeq === null) return loss.segment;
  const kind = isText(loss) ? 'blob' : 'missing';
  return lossCell({ ...loss, kind, offset: 0, bytes: 0 });
}

/** Of damaged places, and of files that were not given: which of them how many are. */
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

/** Each file that was not given, why, and what to do. Paths and commands are left in one line. */
export function refusedLines(found: readonly Refused[]): string[] {
  if (found.length === 0) return [];
  const shown = found.flatMap(({ file, why, next }) => [
    `  ${oneLine(file)}: ${why}`,
    `    ${oneLine(next)}`,
  ]);
  return [wrap(REFUSED, TEXT_WIDTH), ...shown];
}

const REFUSED =
  'These files are there and cannot be read: what is in them is hidden, and not known to be lost. What the system says, and what to do:';

/** A file that something was put behind: no reader opens it, and what stands in it may all be there. */
export const isTooLarge = ({ kind, bytes: size }: Pick<DamagedPlace, 'kind' | 'bytes'>): boolean =>
  kind === 'segment-header' && size > SEGMENT_BYTES_MAX;
