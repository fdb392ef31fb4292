import { journalRange } from '../journal/read/range.ts';
import { Ben10Error } from '../platform/errors.ts';
import { zonedTime } from '../platform/spans.ts';
import type { Project } from '../project/open.ts';
import { beforeDrop } from '../projections/dropped.ts';
import { context } from '../projections/folds/context.ts';
import type { Frontier } from '../projections/frontier.ts';
import type { Cut } from '../projections/gather.ts';
import type { Placed } from '../projections/order.ts';
import { oneLine } from '../projections/safe-text.ts';
import { after, historyOf, timeAt } from './history.ts';
import type { StoredRef } from './places.ts';
import { type Point, parsePoint, pointNotFound } from './points.ts';
import { findSession, sessionsAt } from './sessions.ts';
import { checkpointPoint, savePoint, snapshotPoint } from './stored-points.ts';
import { timePoint } from './time-index.ts';

export interface ResolvedPoint {
  text: string;
  /** The events before the point. */
  cut: Cut;
  /** The point's or the requested session; null for the whole project. */
  session: string | null;
  /** The newest event before the point, by arrival or by history; 0 when there is none. */
  seq: number;
  at: number | null;
  /** Where the point's state is stored, for saves and snapshots. */
  stored?: StoredRef;
}

/**
 * Finds a point in the journal; the README describes the kinds.
 * @param text undefined for now
 * @param options.session an id or a unique start of one
 * @param options.edge which end of a day or a week is meant: the first moment of a range's start, by default the last
 * @param options.from the point that `@-10`, `2h` or `@prompt:-1` count back from; by default now
 * @throws Ben10Error POINT_INVALID, POINT_NOT_FOUND or SNAPSHOT_NOT_FOUND with what is available
 */
export function resolvePoint(
  project: Project,
  text: string | undefined,
  options: {
    session?: string | undefined;
    edge?: 'from' | 'to';
    from?: ResolvedPoint | undefined;
  } = {},
): ResolvedPoint {
  const { from } = options;
  const point = parsePoint(text ?? '@head', from?.at ?? project.ports.clock.now());
  const session = options.session === undefined ? null : findSession(project, options.session);
  switch (point.kind) {
    case 'head':
    case 'seq':
    case 'back':
      return arrivalPoint(project, point, session, from);
    case 'time':
      return spanPoint(project, point, options.edge ?? 'to', session);
    case 'prompt':
    case 'compaction':
      return landmark(project, { kind: point.kind, n: point.n }, session, from?.cut);
    case 'session':
      return sessionPoint(project, point, session);
    case 'checkpoint':
      return checkpointPoint(project, point.n, session);
    case 'save':
      return savePoint(project, point.name, session);
    case 'snapshot':
      return snapshotPoint(project, point.id, session);
  }
}

/** A day begins before what happened in its first moment. */
function spanPoint(
  project: Project,
  span: { from: number; to: number },
  edge: 'from' | 'to',
  session: string | null,
): ResolvedPoint {
  const isStart = edge === 'from' && span.from < span.to;
  const found = timePoint(project, isStart ? span.from - 1 : span[edge], session);
  return { ...found, text: `@${zonedTime(span[edge])}` };
}

function arrivalPoint(
  project: Project,
  point: Extract<Point, { kind: 'head' | 'seq' | 'back' }>,
  session: string | null,
  from: ResolvedPoint | undefined,
): ResolvedPoint {
  const { first, last } = journalRange(project.ports, project.reader);
  const at = (seq: number) => timeAt(project, seq);
  if (point.kind === 'head' && from !== undefined) return from;
  if (point.kind === 'head') {
    return { text: '@head', cut: { upto: last }, session, seq: last, at: at(last) };
  }
  const seq = point.kind === 'seq' ? point.seq : (from?.seq ?? last) - point.events;
  const text = point.kind === 'seq' ? `@${seq}` : `@-${point.events}`;
  const dropped = project.states.dropped();
  if (dropped !== undefined && seq < dropped.upto) throw beforeDrop(text, dropped);
  // The point before the first event is valid: nothing had happened.
  if (seq > last || seq < Math.max(first - 1, 0)) {
    const have = last === 0 ? 'it has no events yet' : `it has events ${first} to ${last}`;
    throw pointNotFound(text, have, last === 0 ? undefined : `Use @${first} to @${last}, or @head`);
  }
  return { text, cut: { upto: seq }, session, seq, at: at(seq) };
}

const LANDMARKS = {
  prompt: { type: 'prompt.submitted', count: 'prompts' },
  compaction: { type: 'compaction.finished', count: 'compactions' },
} as const;

/** Just before a session's prompt or compaction. */
function landmark(
  project: Project,
  { kind, n }: { kind: 'prompt' | 'compaction'; n: number },
  given: string | null,
  cut: Cut | undefined,
): ResolvedPoint {
  const { type, count } = LANDMARKS[kind];
  const text = `@${kind}:${n}`;
  const having = sessionsAt(project, cut).filter((one) => one[count] > 0);
  const session = given ?? having[0]?.session;
  if (session === undefined) throw pointNotFound(text, `no session has ${count}`);
  const facts = historyOf(project, session, cut);
  const found = facts.flatMap(({ fact }, index) =>
    fact.type === type && fact.agent === null ? [index] : [],
  );
  const base = project.states.based(context, session)?.frontier;
  const known = having.find((one) => one.session === session)?.[count] ?? 0;
  const gone = base === undefined ? 0 : Math.max(0, known - found.length);
  const which = n > 0 ? n - 1 - gone : found.length + n;
  const index = found[which];
  if (index === undefined && which < 0 && which >= -gone)
    throw beforeDrop(text, project.states.dropped()!);
  if (index === undefined) throw noLandmark(text, count, found.length + gone, session, having);
  const before = facts[index]!.place;
  return { text, cut: { before }, session, ...newest(facts.slice(0, index), base) };
}

function noLandmark(
  text: string,
  count: 'prompts' | 'compactions',
  there: number,
  session: string,
  having: readonly { session: string; prompts: number; compactions: number }[],
): Ben10Error {
  const why = `session ${oneLine(session)} has ${there === 0 ? `no ${count}` : there}`;
  const kind = count.slice(0, -1);
  const hints = there > 0 ? [`Use @${kind}:1 to @${kind}:${there}, or @${kind}:-1`] : [];
  const other = having.find((one) => one.session !== session);
  if (other !== undefined) hints.push(`Session ${oneLine(other.session)} has ${other[count]}`);
  return pointNotFound(text, why, hints.length === 0 ? undefined : hints.join('. '));
}

/** The last of some facts in history, else of the state that stands in for removed ones. */
const newest = (
  facts: readonly Placed[],
  base: Frontier | undefined,
): { seq: number; at: number | null } => {
  const last = facts.at(-1);
  if (last !== undefined) return { seq: last.fact.seq, at: last.fact.at };
  return { seq: base?.last ?? 0, at: base?.place?.time ?? null };
};

function sessionPoint(
  project: Project,
  { id, edge }: Extract<Point, { kind: 'session' }>,
  asked: string | null,
): ResolvedPoint {
  const session = findSession(project, id);
  const text = `@session:${oneLine(session)}${edge === 'end' ? ':end' : ''}`;
  if (asked !== null && asked !== session) {
    throw new Ben10Error('POINT_INVALID', `${text} is not in session ${oneLine(asked)}`, {
      next: 'Leave out one of the two',
    });
  }
  const facts = historyOf(project, session);
  const base = project.states.based(context, session)?.frontier;
  if (base !== undefined && edge === 'start') throw beforeDrop(text, project.states.dropped()!);
  if (base !== undefined && facts.length === 0) {
    const cut = { before: after(base.place?.time ?? 0) };
    return { text, cut, session, ...newest(facts, base) };
  }
  const first = facts[0];
  if (first === undefined) throw pointNotFound(text, 'none of its events can be read');
  const seqs = facts.map(({ fact }) => fact.seq);
  if (edge === 'start') {
    const seq = seqs.reduce((least, one) => Math.min(least, one)) - 1;
    return { text, cut: { before: first.place }, session, seq, at: null };
  }
  const { place, fact } = facts.at(-1)!;
  const seq = seqs.reduce((most, one) => Math.max(most, one));
  return { text, cut: { before: after(place.time) }, session, seq, at: fact.at };
}
