import type { Project } from '../project/open.ts';
import type { ContextState, Statement } from '../projections/folds/context.ts';
import type { Message } from '../projections/folds/conversation.ts';
import type { FileRecord } from '../projections/folds/files.ts';
import {
  allPreferences,
  type Preference,
  statementWords,
} from '../projections/folds/preferences.ts';
import type { Task } from '../projections/folds/tasks.ts';
import type { ToolRun } from '../projections/folds/tools.ts';
import { contextAt, type Replayed } from './replay.ts';
import { type ResolvedPoint, resolvePoint } from './resolve.ts';

interface DiffEnd {
  point: string;
  seq: number;
  at: number | null;
  session: string | null;
  /** The context was cleared after this event: older content is not included. */
  cleared?: number;
}

export interface Changed<T> {
  from: T;
  to: T;
}

export interface Difference<T> {
  added: T[];
  removed: T[];
  changed: Changed<T>[];
}

export interface TokenCounts {
  /** In the main thread's context at its last message; null when unknown. */
  context: number | null;
  input: number;
  output: number;
  cacheCreation: number;
  cacheRead: number;
}

export interface StateDiff {
  kind: 'states';
  from: DiffEnd;
  to: DiffEnd;
  /** Among messages that both states can hold: old ones are only counted. */
  messages: Difference<Message> & { count: Changed<number>; compactions: Changed<number> };
  files: Difference<FileRecord>;
  tools: Difference<ToolRun> & { count: Changed<number>; failures: Changed<number> };
  tasks: Difference<Task>;
  decisions: Difference<Statement>;
  /** Everything the user keeps asking for: rules, tools, corrections. */
  rules: Difference<Preference>;
  tokens: Changed<TokenCounts>;
}

/**
 * The differences between two points, within one session if the points or the option name one.
 * @param from undefined for the beginning
 * @param to undefined for now
 * @throws Ben10Error POINT_INVALID, POINT_NOT_FOUND
 */
export function diffPoints(
  project: Project,
  from: string | undefined,
  to: string | undefined,
  options: { session?: string | undefined } = {},
): StateDiff {
  const [start, end] = endsOf(project, from, to, options.session);
  const a = contextAt(project, start);
  const b = contextAt(project, end);
  return {
    kind: 'states',
    from: endOf(start, a),
    to: endOf(end, b),
    ...differences(a.state, b.state),
  };
}

const endOf = (
  { text }: ResolvedPoint,
  { point, session, state }: Replayed<ContextState>,
): DiffEnd => ({
  point: text,
  ...point,
  session,
  ...(state.cleared !== null && { cleared: state.cleared.upto }),
});

/** A point outside any session takes that of the other point, else of the later one. */
function endsOf(
  project: Project,
  from: string | undefined,
  to: string | undefined,
  asked: string | undefined,
): [ResolvedPoint, ResolvedPoint] {
  const start =
    from === undefined ? BEGINNING : resolvePoint(project, from, { session: asked, edge: 'from' });
  const end = resolvePoint(project, to, { session: asked });
  const session = end.session ?? start.session ?? contextAt(project, end).session;
  return [
    { ...start, session: start.session ?? session },
    { ...end, session },
  ];
}

const BEGINNING: ResolvedPoint = { text: '@0', cut: { upto: 0 }, session: null, seq: 0, at: null };

function differences(a: ContextState, b: ContextState): Omit<StateDiff, 'kind' | 'from' | 'to'> {
  const { messageCount, compactionCount } = a.conversation;
  return {
    messages: {
      ...messagesBetween(a, b),
      count: { from: messageCount, to: b.conversation.messageCount },
      compactions: { from: compactionCount, to: b.conversation.compactionCount },
    },
    files: between(
      Object.values(a.files.files),
      Object.values(b.files.files),
      (one) => one.path,
      FILE,
    ),
    tools: {
      ...runsBetween(a, b),
      count: { from: a.tools.total, to: b.tools.total },
      failures: { from: a.tools.failures, to: b.tools.failures },
    },
    tasks: between(
      Object.values(a.tasks.tasks),
      Object.values(b.tasks.tasks),
      (one) => one.id,
      TASK,
    ),
    decisions: between(a.decisions, b.decisions, (one) => one.text, []),
    rules: between(
      allPreferences(a.preferences),
      allPreferences(b.preferences),
      (one) => `${one.kind} ${statementWords(one.text)}`,
      [],
    ),
    tokens: { from: tokensOf(a), to: tokensOf(b) },
  };
}

const FILE = ['reads', 'edits', 'linesAdded', 'linesRemoved', 'lastAction'] as const;
const TASK = ['subject', 'description', 'status'] as const;
const RUN = ['outcome'] as const;

function between<T extends object>(
  a: readonly T[],
  b: readonly T[],
  keyOf: (one: T) => string,
  fields: readonly (keyof T)[],
): Difference<T> {
  const before = new Map(a.map((one) => [keyOf(one), one]));
  const after = new Map(b.map((one) => [keyOf(one), one]));
  const added = b.filter((one) => !before.has(keyOf(one)));
  const removed = a.filter((one) => !after.has(keyOf(one)));
  const changed = a.flatMap((from) => {
    const to = after.get(keyOf(from));
    return to !== undefined && fields.some((field) => from[field] !== to[field])
      ? [{ from, to }]
      : [];
  });
  return { added, removed, changed };
}

/** States keep the newest messages, so one too old for the other state is no difference. */
function messagesBetween(a: ContextState, b: ContextState): Difference<Message> {
  const all = between(a.conversation.messages, b.conversation.messages, (one) => one.id, []);
  const since = (state: ContextState) => {
    const { messages, messageCount } = state.conversation;
    return messageCount > messages.length
      ? (messages[0]?.timestamp ?? 0)
      : Number.NEGATIVE_INFINITY;
  };
  return {
    added: all.added.filter((one) => one.timestamp >= since(a)),
    removed: all.removed.filter((one) => one.timestamp >= since(b)),
    changed: [],
  };
}

function runsBetween(a: ContextState, b: ContextState): Difference<ToolRun> {
  const all = between(a.tools.runs, b.tools.runs, (one) => one.toolUseId, RUN);
  const since = ({ tools }: ContextState) =>
    tools.total > tools.runs.length ? (tools.runs[0]?.at ?? 0) : Number.NEGATIVE_INFINITY;
  return {
    added: all.added.filter((one) => one.at >= since(a)),
    removed: all.removed.filter((one) => one.at >= since(b)),
    changed: all.changed,
  };
}

const tokensOf = ({ usage }: ContextState): TokenCounts => ({
  context: usage.contextTokens,
  input: usage.total.inputTokens,
  output: usage.total.outputTokens,
  cacheCreation: usage.total.cacheCreationTokens,
  cacheRead: usage.total.cacheReadTokens,
});
