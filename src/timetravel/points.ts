import { nearName } from '../platform/config/nearest.ts';
import { Ben10Error } from '../platform/errors.ts';
import { spanOf, TIME_WORDS } from '../platform/spans.ts';
import { oneLine } from '../projections/safe-text.ts';
import { shown } from './text.ts';

/** A parsed point; `resolve.ts` finds it in a journal. */
export type Point =
  | { kind: 'head' }
  | { kind: 'seq'; seq: number }
  /** Events before the newest. */
  | { kind: 'back'; events: number }
  /** First and last millisecond; equal for a moment. */
  | { kind: 'time'; from: number; to: number }
  /** Counted from 1, or from the end with -1 as the last. */
  | { kind: 'prompt' | 'compaction' | 'checkpoint'; n: number }
  | { kind: 'session'; id: string; edge: 'start' | 'end' }
  | { kind: 'save'; name: string }
  /** An id or a unique start of one. */
  | { kind: 'snapshot'; id: string };

export const POINT_CHARS_MAX = 300;

const EXAMPLES =
  '@1234, @-10, @head, @2h, @yesterday, @2026-11-21T10:00, @prompt:-2, @compaction:-1, @session:ID, @session:ID:end, @checkpoint:-1, @save:NAME, @snapshot:ID';
const COUNTED = /^(prompt|compaction|checkpoint):(-?\d{1,9})$/;

/** Words that begin a point, for hints. */
const KINDS = ['head', 'prompt', 'compaction', 'checkpoint', 'session', 'save', 'snapshot'];

/**
 * Parses a point; the leading `@` is optional.
 * @param now milliseconds since the epoch, for ages and days
 * @throws Ben10Error POINT_INVALID with what was expected
 */
export function parsePoint(text: string, now: number): Point {
  const point = pointOf(text, now);
  if (point !== undefined) return point;
  const body = text.trim().replace(/^@/, '');
  const near = nearPoint(body);
  if (near !== undefined) throw invalid(text, `did you mean @${near}?`);
  const why = rangeOf(text, now) && 'it is a range of two';
  throw invalid(text, why ?? whyNot(body));
}

/** Undefined where nothing in it is like a point. It looks for no range, which looks for points. */
function pointOf(text: string, now: number): Point | undefined {
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
  const span = spanOf(body, now);
  if (typeof span === 'string') throw invalid(text, span);
  return span && { kind: 'time', ...span };
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

/** What a misspelt point, or range of two, means if its first word is nearly one. */
function nearPoint(body: string): string | undefined {
  const near = body.split('..').map((side) => nearSide(side.replace(/^@/, '')) ?? side);
  return near.join('..') === body ? undefined : shown(near.join('..'), 80);
}

function nearSide(body: string): string | undefined {
  const [, word = '', rest = ''] = /^([^:]*)(:.*)?$/s.exec(body) ?? [];
  const near = nearName(word.toLowerCase(), [...KINDS, ...TIME_WORDS]);
  if (near === undefined || near === word) return undefined;
  return `${near}${KINDS.includes(near) ? rest : ''}`;
}

/**
 * The ends of `FROM..TO`, either of which may be empty; undefined for a single point. Names of saves may hold dots: it is a range only
 * where both sides are points.
 */
export function rangeOf(text: string, now: number): { from?: string; to?: string } | undefined {
  if (text.length > 2 * POINT_CHARS_MAX) return undefined;
  for (let at = text.indexOf('..'); at !== -1; at = text.indexOf('..', at + 1)) {
    const [from, to] = [text.slice(0, at), text.slice(at + 2)];
    const isRange = [from, to].every((side) => side === '' || isPoint(side, now));
    if (isRange) return { ...(from !== '' && { from }), ...(to !== '' && { to }) };
  }
  return undefined;
}

function isPoint(text: string, now: number): boolean {
  try {
    return pointOf(text, now) !== undefined;
  } catch {
    return false;
  }
}

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
