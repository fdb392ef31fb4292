import { CATALOGUE, isKnownType } from './catalogue.ts';
import type { EventData, EventType, JournalEvent } from './types.ts';

type Check = (value: unknown) => boolean;
/** A check for every field, the optional ones too: a field that is forgotten here does not compile. */
type Fields<T> = { [K in keyof Required<T>]: Check };

/** Anything that is there. */
const any: Check = (value) => value !== undefined;
const string: Check = (value) => typeof value === 'string';
const number: Check = (value) => Number.isFinite(value);
const boolean: Check = (value) => typeof value === 'boolean';
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const nullable =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const oneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);
const list =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const record =
  (check: Check): Check =>
  (value) =>
    isPlain(value) && Object.values(value).every(check);

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !ArrayBuffer.isView(value);

function object(fields: Record<string, Check>): Check {
  const checks = Object.entries(fields);
  return (value) =>
    isPlain(value) &&
    checks.every(([name, check]) => check(Object.hasOwn(value, name) ? value[name] : undefined));
}

const text: Check = (value) =>
  string(value) || object({ $blob: string, bytes: number, head: string })(value);
const trace = optional(
  object({
    pos: number,
    uuid: optional(string),
    time: optional(number),
    rewoundTo: optional(number),
  }),
);

const position: Check = (value) =>
  Array.isArray(value) && value.length === 2 && string(value[0]) && number(value[1]);

const metrics = object({
  tokens: optional(number),
  messages: number,
  files: number,
  toolExecutions: number,
});

const SHAPES: { [T in EventType]: Fields<EventData[T]> } = {
  'session.started': {
    source: string,
    cwd: optional(string),
    transcriptPath: optional(string),
    model: optional(string),
    worktree: string,
  },
  'session.ended': { reason: string },
  'prompt.submitted': { text, promptId: optional(string), cwd: optional(string), trace },
  'message.recorded': {
    role: oneOf('assistant', 'user'),
    kind: oneOf('text', 'thinking', 'command'),
    text,
    messageId: optional(string),
    model: optional(string),
    trace,
  },
  'tool.called': {
    toolUseId: string,
    name: string,
    input: any,
    promptId: optional(string),
    trace,
  },
  'tool.succeeded': {
    toolUseId: string,
    name: optional(string),
    response: optional(any),
    durationMs: optional(number),
    trace,
  },
  'tool.failed': {
    toolUseId: string,
    name: optional(string),
    error: text,
    exitCode: optional(number),
    isInterrupt: optional(boolean),
    durationMs: optional(number),
    trace,
  },
  'subagent.started': { agentType: string },
  'subagent.stopped': {
    agentType: string,
    lastMessage: optional(text),
    transcriptPath: optional(string),
  },
  'compaction.started': { trigger: string, customInstructions: optional(text) },
  'compaction.finished': {
    trigger: string,
    summary: text,
    promptId: optional(string),
    preTokens: optional(number),
    postTokens: optional(number),
    kept: optional(object({ uuids: list(string), files: number })),
    trace,
  },
  'turn.ended': { lastMessage: optional(text), error: optional(string) },
  'usage.sampled': {
    messageId: string,
    model: optional(string),
    inputTokens: number,
    outputTokens: number,
    cacheCreationTokens: number,
    cacheReadTokens: number,
    copied: optional(oneOf(true)),
    trace,
  },
  'transcript.read': {
    path: string,
    from: number,
    to: number,
    tail: string,
    records: number,
    malformed: number,
    unknown: record(number),
    partial: optional(oneOf(true)),
    overlapping: optional(oneOf(true)),
    latest: optional(number),
    running: optional(object({ promptId: string, prompts: number, compactions: number })),
  },
  'fact.enriched': {
    of: string,
    type: oneOf(...Object.keys(CATALOGUE)),
    trace,
    more: optional(record(any)),
  },
  'recall.injected': {
    event: string,
    source: string,
    chars: number,
    items: list(object({ kind: string, seq: number, key: string })),
  },
  'context.saved': { name: string, upto: number, file: string },
  'context.restored': { point: string, mode: string, chars: number, upto: optional(number) },
  'context.cleared': { upto: number },
  'context.merged': {
    strategy: oneOf('journal', 'disk', 'newest'),
    files: list(
      object({
        path: string,
        believed: oneOf('journal', 'disk'),
        hash: optional(string),
        bytes: optional(number),
        movedTo: optional(string),
      }),
    ),
  },
  'checkpoint.created': { upto: number, projections: list(string) },
  'snapshot.created': {
    snapshot: string,
    trigger: oneOf('threshold', 'manual', 'memory_pressure'),
    upto: number,
    file: string,
    before: metrics,
    contentHash: string,
    plainBytes: number,
    bytes: number,
  },
  'snapshot.completed': { snapshot: string, after: metrics },
  'snapshot.annotated': {
    snapshot: string,
    contentHash: optional(string),
    pinned: optional(boolean),
    tags: optional(list(string)),
    note: optional(string),
  },
  'snapshot.removed': { snapshot: string, why: oneOf('asked', 'count', 'age', 'size') },
  'preference.retracted': { key: string, text: optional(string) },
  'journal.based': {
    projection: string,
    version: number,
    upto: number,
    state: text,
    frontier: object({
      seq: number,
      folded: list(number),
      place: nullable(
        object({ time: number, rank: oneOf(0, 1), thread: string, position: number }),
      ),
      reached: list(position),
      recent: list(string),
    }),
  },
  'work.saved': {
    worktree: string,
    trigger: string,
    taskSummary: optional(string),
    workingFiles: optional(list(string)),
    notes: optional(string),
    todos: optional(
      list(object({ content: string, status: oneOf('pending', 'in_progress', 'completed') })),
    ),
  },
  'environment.observed': {
    worktree: string,
    kinds: list(string),
    things: list(
      object({
        kind: string,
        name: string,
        state: string,
        detail: optional(string),
        unseen: optional(oneOf(true)),
      }),
    ),
    asked: optional(record(string)),
    cut: optional(list(string)),
  },
  'environment.told': { worktree: string, upto: number, chars: number },
  'hook.received': { event: string, payload: any },
  'event.superseded': {
    seq: number,
    event: object({
      type: string,
      version: number,
      session: nullable(string),
      agent: nullable(string),
      client: nullable(string),
      source: string,
      at: nullable(number),
      data: any,
    }),
  },
  'erasure.requested': {
    by: oneOf('event', 'pattern', 'rule', 'age'),
    rule: optional(string),
    targets: list(number),
    upto: optional(number),
    kept: optional(list(number)),
    bases: optional(list(number)),
    origin: optional(string),
  },
  'erasure.done': { request: number, events: number, segments: number, blobs: number },
};

const CHECKS = new Map<string, Check>(
  Object.entries(SHAPES).map(([type, fields]) => [type, object(fields)]),
);

/**
 * Whether an event's data is what its type says. A journal is a file that came from somewhere: what is folded or
 * shown field by field is looked at first. The hand-written twin of `schemas/`, for processes without zod; data of a
 * type or version that is not known here has no shape.
 */
export function hasShape({
  type,
  version,
  data,
}: Pick<JournalEvent, 'type' | 'version' | 'data'>): boolean {
  if (!isKnownType(type) || version !== CATALOGUE[type].version) return false;
  return CHECKS.get(type)!(data);
}
