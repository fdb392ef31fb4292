import type { LogEvent } from '../../log/query.ts';
import { toJson } from './json.ts';

/** An event as one line of JSON: the contract of `log --json` and `show --json`. Keys stand in this order. */
export function eventJson(event: LogEvent): string {
  const { id, at, type, version, session, agent, client, source, data } = event;
  const waiting = event.waiting === true;
  const seq = waiting ? null : event.seq;
  const fields = { seq, id, at, type, version, session, agent, client, source, data };
  return toJson(waiting ? { ...fields, waiting } : fields);
}
