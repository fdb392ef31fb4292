import type { Project } from '../project/open.ts';
import { isObject, textOf } from '../projections/tools-text.ts';
import { type LogEvent, queryLog } from './query.ts';

/** A line of a listing: an event, and of a call its outcome, if that is listed, too. */
export interface LogLine {
  event: LogEvent;
  outcome?: LogEvent;
}

/** How far behind a call its outcome is looked for, in events. */
const AHEAD = 300;
/** How far behind a single one. */
const BEHIND = 2000;
const TOLD_MAX = 100;
const OUTCOMES = new Set(['tool.succeeded', 'tool.failed']);

/** Puts a call and its outcome together, and leaves out an end of a turn that only repeats the answer before it. */
export function* joined(events: Iterable<LogEvent>): Generator<LogLine> {
  const ahead: LogEvent[] = [];
  const outcomes = new Map<string, LogEvent>();
  const joinedTo = new Set<LogEvent>();
  const told = new Map<string, string>();
  const first = (): LogLine | undefined => {
    const event = ahead.shift()!;
    if (event.type === 'tool.called') {
      const outcome = outcomes.get(callOf(event));
      if (outcome === undefined) return { event };
      joinedTo.add(outcome);
      return { event, outcome };
    }
    if (OUTCOMES.has(event.type)) outcomes.delete(callOf(event));
    return joinedTo.delete(event) || isRepeated(event, told) ? undefined : { event };
  };
  for (const event of events) {
    ahead.push(event);
    if (OUTCOMES.has(event.type)) outcomes.set(callOf(event), event);
    const line = ahead.length > AHEAD ? first() : undefined;
    if (line !== undefined) yield line;
  }
  while (ahead.length > 0) {
    const line = first();
    if (line !== undefined) yield line;
  }
}

/** What came of a call, if that stands near it. */
export function outcomeOf(project: Project, call: LogEvent): LogEvent | undefined {
  if (call.type !== 'tool.called' || call.waiting === true) return undefined;
  const types = [call.type, ...OUTCOMES];
  const [line] = joined(queryLog(project, { from: call.seq, to: call.seq + BEHIND, types }));
  return line?.outcome;
}

const fieldOf = ({ data }: LogEvent, name: string): unknown =>
  isObject(data) ? data[name] : undefined;

const callOf = (event: LogEvent): string => `${event.session} ${fieldOf(event, 'toolUseId')}`;

/** @param told the last answer by session and agent */
function isRepeated(event: LogEvent, told: Map<string, string>): boolean {
  const key = `${event.session} ${event.agent}`;
  const answer = event.type === 'message.recorded' ? textOf(fieldOf(event, 'text')) : undefined;
  if (answer !== undefined) {
    if (told.size > TOLD_MAX) told.clear();
    told.set(key, answer.trim());
  }
  const last = textOf(fieldOf(event, 'lastMessage'))?.trim();
  return last !== undefined && last === told.get(key) && fieldOf(event, 'error') === undefined;
}
