import type { LogEvent } from '../../log/query.ts';
import { toJson } from './json.ts';

/** One line of `log --json` and `show --json`. Names and order of the keys are stable. */
export function eventJson(event: LogEvent): string {
  const { id, at, type, version, session, agent, client, source, data } = event;
  const waiting = event.waiting === true;
  const seq = waiting ? null : event.seq;
  const fields = { seq, id, at, type, version, session, agent, client, source, data };
  return toJson(waiting ? { ...fields, waiting } : fields);
}
