import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { isRecord } from '../platform/config/value.ts';
import { TOKENS_MAX } from './window.ts';

/** What one call of the main thread held, or what a compaction left. */
export interface Usage {
  tokens: number;
  model?: string;
  /** Byte offset behind the last whole line that was read: where to read on. */
  end: number;
  /** No call said so: it is counted from what a compaction left. */
  isRough?: true;
}

type Json = Record<string, unknown>;

const READ_BYTES = 64 * 1024;
/** How far back a rewound conversation is followed. */
const SEARCH_BYTES_MAX = 8 * 1024 * 1024;
/** What hooks and the user gave along stands before the first call. */
const FIRST_BYTES_MAX = 1024 * 1024;
/** Characters of a summary for one token. */
const CHARS_PER_TOKEN = 3.6;

/**
 * How full the context is, by the end of a client's transcript: the newest call on the live branch of the main thread, or the compaction
 * behind it. A rewind leaves its dead branch in the file, so records are followed from the newest one to their parents.
 * @param from only bytes from there on are read
 * @param bytesMax and only so many of the last ones
 * @returns undefined if there is no such file, or nothing new
 */
export function newestUsage(
  file: string,
  from = 0,
  bytesMax = SEARCH_BYTES_MAX,
): Usage | undefined {
  try {
    const fd = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stat = fstatSync(fd);
      const start = Math.max(0, from, stat.size - bytesMax);
      return stat.isFile() ? newestIn(fd, start, stat.size) : undefined;
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined; // missing or unreadable
  }
}

function newestIn(fd: number, from: number, size: number): Usage | undefined {
  const chain = new Chain();
  let end = 0;
  for (const { line, end: at } of linesBackward(fd, from, size)) {
    end ||= at;
    // What a compaction kept is written again close behind it.
    if (chain.call !== undefined && at < chain.callAt - READ_BYTES) break;
    if (!chain.isOfInterest(line)) continue;
    const record = parsed(line);
    if (record === undefined || record.isSidechain === true) continue;
    if (chain.add(record, at)) break;
  }
  const { boundary, call, newest, isAtRoot } = chain;
  if (boundary !== undefined) return afterCompaction(fd, boundary, chain.summary, end);
  const usage = call ?? (isAtRoot ? undefined : newest);
  return usage && { ...usage, end };
}

type Call = Pick<Usage, 'tokens' | 'model'>;

/** The live branch, from its newest record back. */
class Chain {
  /** The answer, unless a compaction turns out to have kept it. */
  call: Call | undefined;
  callAt = 0;
  boundary: Json | undefined;
  /** The newest call in the file, for a branch whose beginning is not here. */
  newest: Call | undefined;
  isAtRoot = false;
  /** Characters of a compaction's summary. */
  summary = 0;
  #uuid: unknown;
  #wanted: string | undefined;
  /** One message may be several records; the last of them counts. */
  readonly #last = new Map<unknown, Call>();

  isOfInterest(line: string): boolean {
    // `compact_boundary`, `isCompactSummary`
    if (line.includes('ompact')) return true;
    if (this.call !== undefined) return false;
    const wanted = this.#wanted;
    return wanted === undefined || line.includes(wanted) || line.includes('"usage"');
  }

  /** @returns true if nothing earlier matters */
  add(record: Json, at: number): boolean {
    const uuid = record.uuid;
    if (record.subtype === 'compact_boundary') return this.#addBoundary(record);
    if (record.isCompactSummary === true)
      this.summary ||= JSON.stringify(fields(record.message).content ?? '').length;
    if (this.call !== undefined) return false;
    const call = callIn(record);
    const { id } = fields(record.message);
    if (call !== undefined) {
      this.newest ??= call;
      if (!this.#last.has(id)) this.#last.set(id, call);
    }
    if (this.#wanted === undefined ? !isConversation(record) : uuid !== this.#wanted) return false;
    this.#uuid = uuid;
    if (call !== undefined) {
      this.call = this.#last.get(id) ?? call;
      this.callAt = at;
      return false;
    }
    if (typeof record.parentUuid === 'string') this.#wanted = record.parentUuid;
    else this.isAtRoot = true;
    return this.isAtRoot;
  }

  /** It ends the branch if the branch goes back to it, or on to a record that it kept. */
  #addBoundary(record: Json): boolean {
    const next = this.call === undefined ? this.#wanted : this.#uuid;
    const isReached =
      (this.call === undefined && (next === undefined || record.uuid === next)) ||
      keptBy(record).includes(next);
    if (isReached) this.boundary = record;
    return isReached;
  }
}

function keptBy({ compactMetadata }: Json): unknown[] {
  const { preservedMessages, preservedSegment } = fields(compactMetadata);
  const { uuids } = fields(preservedMessages);
  const { headUuid, tailUuid } = fields(preservedSegment);
  return [headUuid, tailUuid, ...(Array.isArray(uuids) ? uuids : [])].filter(
    (uuid) => typeof uuid === 'string',
  );
}

function afterCompaction(fd: number, boundary: Json, summary: number, end: number): Usage {
  const { postTokens } = fields(boundary.compactMetadata);
  const said = tokensOf(postTokens);
  const tokens = said || Math.round((firstCall(fd)?.tokens ?? 0) + summary / CHARS_PER_TOKEN);
  return { tokens, end, isRough: true };
}

/** What every call begins with: instructions and tools. */
function firstCall(fd: number): Call | undefined {
  for (const line of read(fd, 0, FIRST_BYTES_MAX).split('\n')) {
    const record = parsed(line);
    const call = record && record.isSidechain !== true ? callIn(record) : undefined;
    if (call !== undefined) return call;
  }
  return undefined;
}

/** The last lines first, as Latin-1; what follows the last newline is not finished. A hook would have to compile a Buffer's methods. */
function* linesBackward(
  fd: number,
  from: number,
  size: number,
): Generator<{ line: string; end: number }> {
  /** What is read of a line so far, and where it ends. */
  let rest: string | undefined;
  let end = 0;
  for (let to = size; to > from; to -= READ_BYTES) {
    const start = Math.max(from, to - READ_BYTES);
    const chunk = read(fd, start, to - start);
    let stop = chunk.length;
    for (let at = chunk.lastIndexOf('\n'); at !== -1; ) {
      if (rest !== undefined) yield { line: chunk.slice(at + 1, stop) + rest, end };
      rest = '';
      end = start + at + 1;
      stop = at;
      at = at === 0 ? -1 : chunk.lastIndexOf('\n', at - 1);
    }
    if (rest !== undefined) rest = chunk.slice(0, stop) + rest;
  }
  // Where reading begins, a line does.
  if (rest !== undefined) yield { line: rest, end };
}

function read(fd: number, at: number, length: number): string {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.toString('latin1', 0, readSync(fd, bytes, 0, length, at));
}

function parsed(line: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(line, 'latin1').toString());
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined; // damaged
  }
}

const fields = (value: unknown): Json => (isRecord(value) ? value : {});

const isConversation = ({ type, uuid }: Json): boolean =>
  (type === 'user' || type === 'assistant') && typeof uuid === 'string';

/** Not the client's own messages, which cost nothing. */
function callIn(record: Json): Call | undefined {
  const { model, usage } = fields(record.message);
  if (record.type !== 'assistant' || record.isApiErrorMessage === true || model === '<synthetic>')
    return undefined;
  const tokens = contextTokens(usage);
  return tokens > 0 ? { tokens, ...(typeof model === 'string' && { model }) } : undefined;
}

/** What a call held: its input, from the cache or not. Of the steps of one call the last counts, not their sum. */
export function contextTokens(usage: unknown): number {
  const { iterations } = fields(usage);
  const steps = Array.isArray(iterations) ? iterations.map(inputOf) : [];
  return steps.findLast((tokens) => tokens > 0) ?? inputOf(usage);
}

function inputOf(usage: unknown): number {
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens } = fields(usage);
  return (
    tokensOf(input_tokens) +
    tokensOf(cache_creation_input_tokens) +
    tokensOf(cache_read_input_tokens)
  );
}

export const tokensOf = (value: unknown): number =>
  typeof value === 'number' && value > 0 && value <= TOKENS_MAX ? Math.trunc(value) : 0;
