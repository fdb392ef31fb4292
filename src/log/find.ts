import { Ben10Error } from '../platform/errors.ts';
import type { Project } from '../project/open.ts';
import { type LogEvent, LogReading, queryLog } from './query.ts';

const SEQ = /^@?(\d{1,15})$/;
const ID = /^[0-9a-f]{4,32}$/i;

/**
 * One event by its seq (`1234`, `@1234`), its id, or the start of its id.
 * @throws Ben10Error USAGE for what is neither, POINT_NOT_FOUND when there is none, or more than one id starts so
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
  const hidden = first !== undefined && seq >= first && seq <= reading.lastSeq;
  const why = hidden ? 'it is damaged, erased, or repeats an earlier one' : range;
  return new Ben10Error('POINT_NOT_FOUND', `there is no event @${seq}: ${why}`, {
    place: { seq },
    next: hidden ? 'Look for damage: ben10 verify' : 'List them: ben10 log',
  });
}
