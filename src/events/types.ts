import type { CATALOGUE, EventType } from './catalogue.ts';
import type { EventDataOf } from './fields.ts';

export type * from './catalogue.ts';
export type { BlobReference, Text, Trace } from './fields.ts';

/** Every event's data, by the event's type. */
export type EventData = { [T in EventType]: EventDataOf<(typeof CATALOGUE)[T]> };

export type Source = 'hook' | 'mcp-hook' | 'transcript' | 'tool' | 'cli' | 'import' | 'journal';

/** An event as readers get it. */
export interface JournalEvent<T = unknown> {
  seq: number;
  /** 32 hex digits. */
  id: string;
  type: string;
  version: number;
  session: string | null;
  agent: string | null;
  client: string | null;
  source: string;
  /** Milliseconds since the epoch, the source's own time. */
  at: number | null;
  data: T;
}
