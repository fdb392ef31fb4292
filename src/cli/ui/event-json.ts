import type { LogEvent } from '../../log/query.ts';
import { toJson } from './json.ts';

/** One line of `log --json`. */
export const eventJson = (event: LogEvent): string => toJson(eventFields(event));

/** Names and order of the keys are stable. */
export function eventFields(event: LogEvent): object {
  const { id, at, type, version, session, agent, client, source, data } = event;
  const waiting = event.waiting === true;
  const seq = waiting ? null : event.seq;
  const fields = { seq, id, at, type, version, session, agent, client, source, data };
  return waiting ? { ...fields, waiting } : fields;
}
