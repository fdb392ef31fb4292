// A Claude Code transcript as the bench reads it: records, their parts, and turns. A reading of its own: nothing of ben10's.
import { readFileSync } from 'node:fs';

/** The records of a transcript file; a line that cannot be read is left out. */
export function readRecords(file) {
  return readFileSync(file, 'utf8').split('\n').filter(Boolean).flatMap(parsed);
}

function parsed(line) {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}

/** What the machine wrote in the user's name: a summary, a caveat, what a slash command printed. */
const isMachineText = (record, text) =>
  record.isMeta === true ||
  record.isCompactSummary === true ||
  /^\s*<(?:command-|local-command-|system-reminder|task-notification)/.test(text);

/**
 * What a record of the main conversation says, in order.
 * @returns `{ kind: 'prompt' | 'text' | 'call' | 'result', text, name?, input?, id?, failed? }`; of a call, `text` is its
 *   input's values, one a line
 */
export function partsOf(record) {
  if (record.isSidechain === true) return [];
  if (record.type !== 'user' && record.type !== 'assistant') return [];
  const { content } = record.message ?? {};
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);
  return blocks.flatMap((block) => partOf(record, block));
}

function partOf(record, block) {
  if (block.type === 'text') {
    if (record.type === 'assistant') return [{ kind: 'text', text: block.text }];
    return isMachineText(record, block.text) ? [] : [{ kind: 'prompt', text: block.text }];
  }
  if (block.type === 'tool_use') {
    const { name, input, id } = block;
    return [{ kind: 'call', name, input, id, text: valuesOf(input).join('\n') }];
  }
  if (block.type !== 'tool_result') return [];
  const text = textOf(block.content);
  return [{ kind: 'result', id: block.tool_use_id, failed: block.is_error === true, text }];
}

function textOf(content) {
  if (typeof content === 'string') return content;
  return (content ?? []).map((one) => one.text ?? '').join('\n');
}

/** Fields of the client's tools whose values are its own words or settings, such as `in_progress` and a timeout. */
const CLIENT_FIELDS = new Set(['status', 'priority', 'id', 'taskId', 'timeout', 'subagent_type']);

/** Every text and number in a value, in order; names of fields are not part of what was said. */
export function valuesOf(value) {
  if (Array.isArray(value)) return value.flatMap(valuesOf);
  if (typeof value !== 'object') return value === undefined ? [] : [String(value)];
  const fields = Object.entries(value ?? {}).filter(([key]) => !CLIENT_FIELDS.has(key));
  return fields.flatMap(([, field]) => valuesOf(field));
}

/**
 * Where turns begin. A turn is one answer of the model (all records of one message) with the results of its calls; a
 * prompt belongs to the turn that follows it.
 * @returns the index of each turn's first record
 */
export function turnStarts(records) {
  const starts = [];
  let message = null;
  let prompt = null;
  records.forEach((record, index) => {
    const parts = partsOf(record);
    if (parts.some(({ kind }) => kind === 'prompt')) prompt ??= index;
    if (record.type !== 'assistant' || parts.length === 0) return;
    if (record.message.id !== message) starts.push(prompt ?? index);
    message = record.message.id;
    prompt = null;
  });
  return starts;
}

/** The characters of what was said in these records. */
export const charsOf = (records) =>
  records.flatMap(partsOf).reduce((sum, { text }) => sum + text.length, 0);

/**
 * The same records, as if the last of them had been written just now: a compaction comes seconds after what it drops, and to say how old
 * that is takes room, which is not that of a session of months ago.
 */
export function endingNow(records) {
  const times = records.flatMap(({ timestamp }) =>
    timestamp === undefined ? [] : [Date.parse(timestamp)],
  );
  const late = Date.now() - times.reduce((most, time) => Math.max(most, time), 0);
  const moved = (time) => new Date(Date.parse(time) + late).toISOString();
  return records.map((record) =>
    record.timestamp === undefined ? record : { ...record, timestamp: moved(record.timestamp) },
  );
}

/** The session and folder that a transcript is of. */
export function aboutOf(records) {
  const first = records.find(({ sessionId, cwd }) => sessionId && cwd);
  return { session: first.sessionId, cwd: first.cwd };
}
