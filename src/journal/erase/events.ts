import type { NewEvent } from '../append/inbox.ts';
import { ownEvent } from '../append/own-events.ts';
import { decodeEnvelope, type Envelope, isHead } from '../format/envelope.ts';
import { FRAME_KIND } from '../format/format.ts';
import type { Entry } from '../format/frame.ts';
import type { JournalPorts } from '../format/ports.ts';

/** Events about erasures. They hold neither erased content nor a digest of it, which could confirm a guess. */
export const REQUESTED_TYPE = 'erasure.requested';
export const DONE_TYPE = 'erasure.done';
export const SUPERSEDED_TYPE = 'event.superseded';

/** Version 1 of `erasure.requested`: once it is in the journal, the erasure will be finished. */
export interface ErasureRequest {
  /** How the events were found. */
  by: 'event' | 'pattern' | 'rule' | 'age';
  /** The redaction rule, where `by` is `rule`. */
  rule?: string;
  /** Rising. */
  targets: number[];
  /** If `by` is `age`: everything up to this seq goes as well, except `kept`. */
  upto?: number;
  /** Rising, none behind `upto`. */
  kept?: number[];
  /** The range of the `journal.based` events that hold the states at `upto`. */
  bases?: [first: number, last: number];
  /** 32 hex digits: the origin of the targets. */
  origin?: string;
}

/** Version 1 of `erasure.done`. */
export interface ErasureReport {
  /** Seq of the request. */
  request: number;
  /** Events that are tombstones now. */
  events: number;
  /** Segments that were rewritten; for a resumed erasure, those since it was resumed. */
  segments: number;
  blobs: number;
}

export const requestedEvent = (ports: JournalPorts, request: ErasureRequest): NewEvent =>
  ownEvent(ports, REQUESTED_TYPE, request);

export const doneEvent = (ports: JournalPorts, report: ErasureReport): NewEvent =>
  ownEvent(ports, DONE_TYPE, report);

/**
 * Replaces an erased event: the same event without what was erased. Its data is nested, not packed, so that
 * the blobs it refers to are seen.
 * @param seq of the event that becomes a tombstone
 */
export const supersededEvent = (ports: JournalPorts, seq: number, event: Envelope): NewEvent =>
  ownEvent(ports, SUPERSEDED_TYPE, { seq, event });

/** Undefined if the entry is no request that can be understood. */
export function requestIn(entry: Entry): ErasureRequest | undefined {
  const data = dataOf(entry, REQUESTED_TYPE);
  if (data === undefined || !Array.isArray(data.targets)) return undefined;
  if (data.origin !== undefined && !/^[0-9a-f]{32}$/.test(String(data.origin))) return undefined;
  const { targets, upto = 0, kept = [] } = data;
  const seqs = [...targets, upto, ...(Array.isArray(kept) ? kept : [null])];
  return seqs.every(Number.isSafeInteger) ? (data as unknown as ErasureRequest) : undefined;
}

/** The seq of the request that an entry reports as done. */
export function doneIn(entry: Entry): number | undefined {
  const request = dataOf(entry, DONE_TYPE)?.request;
  return typeof request === 'number' ? request : undefined;
}

/** The replacement of an erased event that an entry holds. */
export function supersededIn(entry: Entry): { seq: number; event: Envelope } | undefined {
  const data = dataOf(entry, SUPERSEDED_TYPE);
  const event = data?.event as Envelope | null | undefined;
  if (typeof data?.seq !== 'number' || typeof event !== 'object' || event === null)
    return undefined;
  return isHead(event) ? { seq: data.seq, event } : undefined;
}

function dataOf(entry: Entry, type: string): Record<string, unknown> | undefined {
  if (entry.kind !== FRAME_KIND.event) return undefined;
  try {
    const found = decodeEnvelope(entry.payload);
    const isOurs = found.type === type && found.version === 1;
    return isOurs && typeof found.data === 'object' && found.data !== null
      ? (found.data as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined; // no envelope
  }
}
