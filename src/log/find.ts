import { decodeEvent } from '../events/decode.ts';
import { FRAME_KIND } from '../journal/format/format.ts';
import type { DamageKind } from '../journal/read/scan.ts';
import { Ben10Error } from '../platform/errors.ts';
import type { Project } from '../project/open.ts';
import { type LogEvent, LogReading, queryLog } from './query.ts';

const SEQ = /^@?(\d{1,15})$/;
const ID = /^[0-9a-f]{4,32}$/i;

/**
 * One event by its seq (`1234`, `@1234`), its id, or the start of an id.
 * @throws Ben10Error USAGE for other texts, POINT_NOT_FOUND for none or several, CHECKSUM_MISMATCH for a damaged event
 */
export function findEvent(project: Project, reference: string): LogEvent {
  const seq = SEQ.exec(reference)?.[1];
  if (seq !== undefined) {
    const [event] = queryLog(project, { from: Number(seq), to: Number(seq) });
    if (event !== undefined) return event;
    throw noSuchSeq(project, Number(seq));
  }
  if (!ID.test(reference)) {
    throw new Ben10Error('USAGE', `"${reference}" is neither an event's number nor its id`, {
      next: 'Give a number such as 1234, or at least four digits of an id; ben10 log shows them.',
    });
  }
  return byId(project, reference.toLowerCase());
}

function byId(project: Project, start: string): LogEvent {
  const found: LogEvent[] = [];
  for (const event of queryLog(project)) if (event.id.startsWith(start)) found.push(event);
  const [event, another] = found;
  if (event !== undefined && another === undefined) return event;
  const what =
    event === undefined
      ? `no event has an id that starts with "${start}"`
      : `${found.length} events have an id that starts with "${start}"`;
  const some = found.slice(0, 5).map(({ seq, id }) => `@${seq} ${id}`);
  throw new Ben10Error('POINT_NOT_FOUND', what, {
    next: event === undefined ? 'List them: ben10 log' : `Give more of it: ${some.join(', ')}`,
  });
}

function noSuchSeq(project: Project, seq: number): Ben10Error {
  const reading = new LogReading(project, {});
  let first: number | undefined;
  for (const event of reading.sequenced()) first ??= event.seq;
  const range =
    first === undefined ? 'this journal is empty' : `they go from @${first} to @${reading.lastSeq}`;
  const hidden = hiddenBy(project, seq);
  if (hidden === 'changed') {
    return new Ben10Error(
      'CHECKSUM_MISMATCH',
      `event @${seq} cannot be read: its bytes are not the ones that were written`,
      { place: { seq }, next: 'See what else is damaged: ben10 verify' },
    );
  }
  const { why, next } = hidden ?? { why: range, next: 'List them: ben10 log' };
  return new Ben10Error('POINT_NOT_FOUND', `there is no event @${seq}: ${why}`, {
    place: { seq },
    next,
  });
}

/** Damage in the place of the event itself. */
const CHANGED = new Set<DamageKind>(['segment-header', 'header', 'body', 'chunk']);

/** Why an existing seq has no event to show. */
function hiddenBy(
  project: Project,
  seq: number,
): { why: string; next: string } | 'changed' | undefined {
  for (const { entry, damage } of project.reader.entries(seq, seq)) {
    if (damage !== undefined) {
      if (damage.firstSeq === null) continue;
      if (CHANGED.has(damage.kind)) return 'changed';
      return { why: 'it cannot be read', next: 'Look for damage: ben10 verify' };
    }
    if (entry.kind === FRAME_KIND.tombstone && seq <= (project.states.dropped()?.upto ?? 0))
      return {
        why: 'retention removed it',
        next: 'To see when: ben10 log --type erasure. The setting is retention.events',
      };
    if (entry.kind === FRAME_KIND.tombstone)
      return { why: 'it was erased', next: 'To see when and why: ben10 log --type erasure' };
    return decodeEvent(entry) === undefined
      ? { why: 'its content is not an event', next: 'Check its file: ben10 verify' }
      : { why: 'it repeats an earlier event', next: 'List each event once: ben10 log' };
  }
  return undefined;
}
