import * as z from 'zod';
import type { ContextState } from '../projections/folds/context.ts';

type Message = ContextState['conversation']['messages'][number];

const text = z.string();
const number = z.number();
const count = z.int().min(0);
const maybe = number.nullable();

const statement = z.object({ text, seq: number, at: number, pos: maybe });

const preference = statement.extend({ key: text, seqs: z.array(number), count });

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => Number.isFinite(value);
const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const ROLES: unknown[] = ['user', 'assistant', 'system'] satisfies Message['role'][];

/** By hand, because zod would copy each message, which are most of a state. */
function isMessage(value: unknown): boolean {
  const said = (value ?? {}) as Record<keyof Message, unknown>;
  const about = (said.metadata ?? {}) as Record<keyof Message['metadata'], unknown>;
  return (
    [said.id, said.content, said.end ?? ''].every(isText) &&
    [said.seq, said.timestamp, said.tokenCount].every(isNumber) &&
    (said.pos === null || isNumber(said.pos)) &&
    ROLES.includes(said.role) &&
    [about.toolCalls, about.fileReferences, about.taskReferences].every(areTexts)
  );
}

const conversation = z.object({
  messages: z.array(z.custom<Message>(isMessage)),
  earlierPrompts: z.array(z.custom<Message>(isMessage)),
  messageCount: number,
  abandonedCount: count,
  summary: text.nullable(),
  compactions: z.array(z.object({ seq: number, at: number, trigger: text, summary: text })),
  compactionCount: count,
  subagents: z.array(
    z.object({ agent: text, toolCalls: count, result: text, seq: number, at: number, pos: maybe }),
  ),
});

const action = z.enum(['read', 'edited', 'created', 'written']);
const content = { hash: text, bytes: count };
const files = z.object({
  files: z.record(
    text,
    z.object({
      path: text,
      reads: count,
      edits: count,
      writes: count,
      lastAction: action,
      lastTool: text,
      lastAt: number,
      lastSeq: number,
      changedSeq: maybe,
      linesAdded: number,
      linesRemoved: number,
      agents: z.array(text),
      known: z.object({ ...content, seq: number, at: number }).nullable(),
      summary: text,
      merged: z
        .object({ believed: z.enum(['journal', 'disk']), hash: text.nullable(), seq: number })
        .nullable(),
    }),
  ),
  open: z.record(
    text,
    z.object({
      action,
      path: text,
      tool: text,
      lines: maybe,
      content: z.object(content).nullable(),
      summary: text,
    }),
  ),
  changes: z.array(
    z.object({ path: text, seq: number, at: number, tool: text, agent: text.nullable() }),
  ),
  dropped: count,
});

const asked = z.object({
  runs: count,
  zeroTells: z.boolean(),
  otherTells: z.boolean(),
  view: z.enum(['all', 'end', 'start', 'picked']),
  prints: z.array(z.object({ text, code: count.nullable() })),
  isStrict: z.boolean(),
});
const tools = z.object({
  runs: z.array(
    z.object({
      toolUseId: text,
      name: text,
      about: text,
      agent: text.nullable(),
      at: number,
      seq: number,
      outcome: z.enum(['open', 'passed', 'failed', 'partial', 'nothing ran', 'unknown']),
      hasFailed: z.boolean(),
      asked: asked.nullable(),
      line: text,
      outcomeSeq: maybe,
      exitCode: maybe,
      head: text,
      tail: text,
      pos: maybe,
      abandoned: z.boolean(),
    }),
  ),
  counts: z.record(text, z.object({ calls: count, failures: count })),
  total: count,
  failures: count,
});

const task = z.object({
  id: text,
  subject: text,
  description: text,
  status: z.enum(['pending', 'in_progress', 'completed', 'deleted']),
  at: number,
  seq: number,
});
const tasks = z.object({
  tasks: z.record(text, task),
  open: z.record(text, z.object({ name: text, fields: z.array(z.record(text, text)) })),
  changes: z.array(
    z.object({ pos: number, before: z.record(text, task.nullable()), whole: z.boolean() }),
  ),
});

const row = {
  inputTokens: number,
  outputTokens: number,
  cacheCreationTokens: number,
  cacheReadTokens: number,
};
const usage = z.object({
  messages: count,
  total: z.object(row),
  byModel: z.record(text, z.object({ ...row, messages: count })),
  contextTokens: maybe,
  recent: z.record(text, z.object({ ...row, model: text })),
});

const parts = {
  directory: text.nullable(),
  createdAt: maybe,
  updatedAt: maybe,
  conversation,
  files,
  tools,
  tasks,
  usage,
  preferences: z.object({
    rules: z.array(preference),
    tools: z.array(preference),
    corrections: z.array(preference),
  }),
  decisions: z.array(statement),
  older: z.object({ rules: count, tools: count, corrections: count, decisions: count }),
};

/** A context set aside has no other one aside. */
const aside = z.object({ ...parts, cleared: z.null() });

/** Every field of a stored context is checked, because all are used. */
export const contextSchema: z.ZodType<ContextState> = z.object({
  ...parts,
  cleared: z.object({ upto: number, at: number, aside }).nullable(),
});

/** The header of a stored state. */
export const aboutSchema = z.object({
  point: z.object({ seq: count, at: maybe }),
  projection: text,
  version: count,
  session: text.nullable(),
});
