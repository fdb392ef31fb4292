import type { Trace } from '../../events/types.ts';
import { defined, type Json, name } from '../json.ts';
import type { RecordWhere } from './record-context.ts';

/** Parts of one record are ordered: a line has more bytes than parts. */
export const traceOf = (record: Json, pos: number, part: number, { time }: RecordWhere): Trace =>
  defined<Trace>({ pos: pos + part, uuid: name(record.uuid), time });
