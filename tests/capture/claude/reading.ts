import { flushBoundary } from '../../../src/capture/claude/compactions.ts';
import { QueuedPrompts } from '../../../src/capture/claude/queued-prompts.ts';
import {
  PromptCounts,
  type RecordContext,
  SideChains,
} from '../../../src/capture/claude/record-context.ts';
import { observeRecord } from '../../../src/capture/claude/records.ts';
import type { Observation } from '../../../src/capture/observation.ts';

type Json = Record<string, unknown>;

export const newContext = (fields: Partial<RecordContext> = {}): RecordContext => ({
  session: 's',
  agent: null,
  sideChains: new SideChains(),
  queue: new QueuedPrompts(),
  boundary: undefined,
  prompts: new PromptCounts(),
  latest: null,
  toolNames: new Map(),
  ...fields,
});

/** What records say, each 1000 bytes behind the one before. */
export function observe(records: readonly Json[], context = newContext()): Observation[] {
  const found = records.flatMap(
    (record, index) => observeRecord(record, index * 1000, context) ?? [],
  );
  return [...found, ...flushBoundary(context)];
}

export const at = (seconds: number): string =>
  new Date(Date.UTC(2026, 10, 21, 10, 0, seconds)).toISOString();

export const ms = (seconds: number): number => Date.UTC(2026, 10, 21, 10, 0, seconds);

export const said = (content: unknown, fields: Json = {}): Json => ({
  type: 'user',
  sessionId: 's',
  uuid: 'u1',
  parentUuid: 'u0',
  promptId: 'p1',
  timestamp: at(1),
  cwd: '/home/dev/app',
  message: { role: 'user', content },
  ...fields,
});

export const answered = (content: unknown, fields: Json = {}, message: Json = {}): Json => ({
  type: 'assistant',
  sessionId: 's',
  uuid: 'a1',
  timestamp: at(2),
  message: { id: 'm1', role: 'assistant', model: 'haiku', content, ...message },
  ...fields,
});
