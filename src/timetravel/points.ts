import { Ben10Error } from '../platform/errors.ts';
import { oneLine } from '../projections/safe-text.ts';
import { shown } from './text.ts';

/** A parsed point; `resolve.ts` finds it in a journal. */
export type Point =
  | { kind: 'head' }
  | { kind: 'seq'; seq: number }
  /** Events before the newest. */
  | { kind: 'back'; events: number }
  | { kind: 'time'; at: number }
  /** Counted from 1, or from the end with -1 as the last. */
  | { kind: 'prompt' | 'compaction' | 'checkpoint'; n: number }
  | { kind: 'session'; id: string; edge: 'start' | 'end' }
  | { kind: 'save'; name: string }
  /** An id or a unique start of one. */
  | { kind: 'snapshot'; id: string };

export const POINT_CHARS_MAX = 300;

const EXAMPLES =
  '@1234, @-10, @head, @2026-11-21T10:00, @prompt:-2, @compaction:-1, @session:ID, @session:ID:end, @checkpoint:-1, @save:NAME, @snapshot:ID';
const COUNTED = /^(prompt|compaction|checkpoint):(-?\d{1,9})$/;
const TIME =
  /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?(Z|[+-]\d\d:?\d\d)?$/i;

/** Parses a point; the leading `@` is optional. @throws Ben10Error POINT_INVALID with what was expected */
export function parsePoint(text: string): Point {
  if (text.length > POINT_CHARS_MAX)
    throw invalid(text, `it has over ${POINT_CHARS_MAX} characters`);
  const body = text.trim().replace(/^@/, '');
  if (body === 'head') return { kind: 'head' };
  if (/^\d{1,15}$/.test(body)) return { kind: 'seq', seq: Number(body) };
  if (/^-\d{1,15}$/.test(body)) return { kind: 'back', events: -Number(body) };
  const counted = COUNTED.exec(body);
  if (counted !== null) return countedPoint(text, counted);
  if (body.startsWith('session:')) return sessionPoint(text, body.slice('session:'.length));
  if (body.startsWith('save:')) {
    const name = body.slice('save:'.length).trim();
    if (name === '') throw invalid(text, 'a name must follow save:');
    return { kind: 'save', name };
  }
  if (body.startsWith('snapshot:')) {
    const id = body.slice('snapshot:'.length).trim();
    if (id === '') throw invalid(text, 'an id must follow snapshot:');
    return { kind: 'snapshot', id };
  }
  if (/^\d{4}-\d/.test(body)) return { kind: 'time', at: timeOf(text, body) };
  throw invalid(text, whyNot(body));
}

function countedPoint(text: string, [, kind, digits]: RegExpExecArray): Point {
  const n = Number(digits);
  if (n === 0) throw invalid(text, 'count from 1, or from -1 for the last');
  return { kind: kind as 'prompt', n };
}

function sessionPoint(text: string, rest: string): Point {
  const [, id, edge] = /^(.*?)(?::(start|end))?$/s.exec(rest)!;
  if (id === undefined || id === '') throw invalid(text, 'an id must follow session:');
  return { kind: 'session', id, edge: edge === 'end' ? 'end' : 'start' };
}

/** Local time unless it has a zone. */
function timeOf(text: string, body: string): number {
  const match = TIME.exec(body);
  if (match === null) {
    if (!/^\d{4}-\d\d-\d\d$/.test(body)) throw invalid(text, 'there is no such time');
    timeOf(text, `${body}T18:00`); // the suggestion must be valid
    throw invalid(text, `a time of day is missing, as in @${body}T18:00`);
  }
  const [, year, month, day, hour, minute, second = '0', fraction = '0', zone] = match;
  const days = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  const fits =
    inRange(month, 1, 12) &&
    inRange(day, 1, days) &&
    inRange(hour, 0, 23) &&
    inRange(minute, 0, 59);
  if (!fits || !inRange(second, 0, 59)) throw invalid(text, 'there is no such date or time');
  const clock = `${hour}:${minute}:${second.padStart(2, '0')}.${fraction.padEnd(3, '0')}`;
  const zoned = zone === undefined ? '' : zone.toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, '$1:$2');
  const at = new Date(`${year}-${month}-${day}T${clock}${zoned}`).getTime();
  if (Number.isNaN(at)) throw invalid(text, 'there is no such time zone');
  return at;
}

const inRange = (digits: string | undefined, min: number, max: number): boolean =>
  Number(digits) >= min && Number(digits) <= max;

function whyNot(body: string): string {
  if (/^(?:prompt|compaction|checkpoint)\b/.test(body)) {
    return `expected a number, as in @${body.split(':')[0]}:-1 for the last or :1 for the first`;
  }
  if (body === '') return 'it is empty';
  const kind = 'there is no such kind of point';
  return /[:@]/.test(body) ? kind : `${kind}; for a save of that name use @save:${shown(body, 80)}`;
}

const invalid = (text: string, why: string): Ben10Error =>
  new Ben10Error('POINT_INVALID', `"${oneLine(text).slice(0, 80)}" is not a point: ${why}`, {
    next: `Examples of points: ${EXAMPLES}`,
  });

/** A well-formed point that this journal does not have. */
export const pointNotFound = (text: string, why: string, next?: string): Ben10Error =>
  new Ben10Error('POINT_NOT_FOUND', `${text} is not in this journal: ${why}`, next ? { next } : {});
