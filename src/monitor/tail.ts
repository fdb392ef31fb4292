import { fieldsIn, isRecord } from '../platform/config/value.ts';
import { withFile } from '../platform/files.ts';
import { nodeFs } from '../platform/fs.ts';
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
    return withFile(nodeFs, file, Number.POSITIVE_INFINITY, (size, readInto) => {
      const read = (at: number, length: number) => {
        const bytes = Buffer.allocUnsafe(length);
        return bytes.toString('latin1', 0, readInto(bytes, at));
      };
      return newestIn(read, Math.max(0, from, size - bytesMax), size);
    });
  } catch {
    return undefined; // missing or unreadable
  }
}

/** Bytes from an offset as Latin-1: a hook would have to compile a Buffer's methods. */
type Read = (at: number, length: number) => string;
type Call = Pick<Usage, 'tokens' | 'model'>;

/** Follows the live branch from its newest record back to a call, and looks whether a compaction close behind that kept it. */
function newestIn(read: Read, from: number, size: number): Usage | undefined {
  let end = 0;
  /** The record that was reached last, and its parent. */
  let uuid: unknown;
  let wanted: string | undefined;
  let call: Call | undefined;
  let callAt = 0;
  /** The newest call in the file, for a branch whose beginning is not here. */
  let newest: Call | undefined;
  /** One message may be several records; the last of them counts. */
  const lastOf = new Map<unknown, Call>();
  let summary = 0;
  const mayBeWanted = (line: string) =>
    wanted === undefined || line.includes(wanted) || line.includes('"usage"');
  for (const { line, end: at } of linesBackward(read, from, size)) {
    end ||= at;
    // What a compaction kept is written again close behind it.
    if (call !== undefined && at < callAt - READ_BYTES) break;
    // `compact_boundary`, `isCompactSummary`
    if (!line.includes('ompact') && (call !== undefined || !mayBeWanted(line))) continue;
    const record = parsed(line);
    if (record === undefined || record.isSidechain === true) continue;
    if (record.isCompactSummary === true)
      summary ||= JSON.stringify(fieldsIn(record.message).content ?? '').length;
    if (record.subtype === 'compact_boundary') {
      const isParent = call === undefined && (wanted === undefined || record.uuid === wanted);
      const next = call === undefined ? wanted : uuid;
      const isKept = next !== undefined && keptBy(record).includes(next);
      if (isParent || isKept) return afterCompaction(read, record, summary, end);
    } else if (call === undefined) {
      const found = callIn(record);
      const { id } = fieldsIn(record.message);
      newest ??= found;
      if (found !== undefined && !lastOf.has(id)) lastOf.set(id, found);
      if (wanted === undefined ? !isConversation(record) : record.uuid !== wanted) continue;
      uuid = record.uuid;
      if (found !== undefined) [call, callAt] = [lastOf.get(id), at];
      else if (typeof record.parentUuid === 'string') wanted = record.parentUuid;
      else return undefined;
    }
  }
  const usage = call ?? newest;
  return usage && { ...usage, end };
}

function keptBy({ compactMetadata }: Json): unknown[] {
  const { preservedMessages, preservedSegment } = fieldsIn(compactMetadata);
  const { uuids } = fieldsIn(preservedMessages);
  const { headUuid, tailUuid } = fieldsIn(preservedSegment);
  return [headUuid, tailUuid, ...(Array.isArray(uuids) ? uuids : [])];
}

function afterCompaction(read: Read, boundary: Json, summary: number, end: number): Usage {
  const { postTokens } = fieldsIn(boundary.compactMetadata);
  const said = tokensOf(postTokens);
  const tokens = said || Math.round((firstCall(read)?.tokens ?? 0) + summary / CHARS_PER_TOKEN);
  return { tokens, end, isRough: true };
}

/** What every call begins with: instructions and tools. */
function firstCall(read: Read): Call | undefined {
  for (const line of read(0, FIRST_BYTES_MAX).split('\n')) {
    const record = parsed(line);
    const call = record && record.isSidechain !== true ? callIn(record) : undefined;
    if (call !== undefined) return call;
  }
  return undefined;
}

/** The last lines first; what follows the last newline is not finished. */
function* linesBackward(read: Read, from: number, size: number) {
  /** What is read of a line so far, and where it ends. */
  let rest: string | undefined;
  let end = 0;
  for (let to = size; to > from; to -= READ_BYTES) {
    const start = Math.max(from, to - READ_BYTES);
    const chunk = read(start, to - start);
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

function parsed(line: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(line, 'latin1').toString());
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined; // damaged
  }
}

const isConversation = ({ type, uuid }: Json): boolean =>
  (type === 'user' || type === 'assistant') && typeof uuid === 'string';

/** Not the client's own messages, which cost nothing. */
function callIn(record: Json): Call | undefined {
  const { model, usage } = fieldsIn(record.message);
  if (record.type !== 'assistant' || record.isApiErrorMessage === true || model === '<synthetic>')
    return undefined;
  const tokens = contextTokens(usage);
  return tokens > 0 ? { tokens, ...(typeof model === 'string' && { model }) } : undefined;
}

/** What a call held: its input, from the cache or not. Of the steps of one call the last counts, not their sum. */
export function contextTokens(usage: unknown): number {
  const { iterations } = fieldsIn(usage);
  const steps = Array.isArray(iterations) ? iterations.map(inputOf) : [];
  return steps.findLast((tokens) => tokens > 0) ?? inputOf(usage);
}

function inputOf(usage: unknown): number {
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens } = fieldsIn(usage);
  return (
    tokensOf(input_tokens) +
    tokensOf(cache_creation_input_tokens) +
    tokensOf(cache_read_input_tokens)
  );
}

export const tokensOf = (value: unknown): number =>
  typeof value === 'number' && value > 0 && value <= TOKENS_MAX ? Math.trunc(value) : 0;
