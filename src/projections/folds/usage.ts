import type { UsageSampled } from '../../events/types.ts';
import { dropOldest, fieldOf, headOf, keyOf } from '../bounds.ts';
import { foldedBy, type Projection } from '../contract.ts';

interface Row {
  inputTokens: number;
  outputTokens: number;
  cacheCreationTokens: number;
  cacheReadTokens: number;
}

export interface UsageState {
  messages: number;
  total: Row;
  byModel: Record<string, Row & { messages: number }>;
  /** Input and cached tokens of the main thread's last message. */
  contextTokens: number | null;
  /** Newest rows by message id: a later line of the same message replaces the earlier one. */
  recent: Record<string, Row & { model: string }>;
}

/** The lines of one message stand close together. */
const RECENT_MAX = 64;
const MODELS_MAX = 50;
const NAME_CHARS = 200;
const NONE: Row = { inputTokens: 0, outputTokens: 0, cacheCreationTokens: 0, cacheReadTokens: 0 };
const FIELDS = ['inputTokens', 'outputTokens', 'cacheCreationTokens', 'cacheReadTokens'] as const;

/** Tokens, counted once for each API message by its last line. */
export const usage: Projection<UsageState> = {
  name: 'usage',
  version: 3,
  scope: 'session',
  initial: () => ({
    messages: 0,
    total: { ...NONE },
    byModel: {},
    contextTokens: null,
    recent: {},
  }),
  ...foldedBy<UsageState>({
    'usage.sampled': (state, { agent, data }) => {
      if (agent === null)
        state.contextTokens = data.inputTokens + data.cacheCreationTokens + data.cacheReadTokens;
      // A fork starts with a copy of messages that the session before it has counted.
      if (data.copied !== true) count(state, data);
    },
  }),
};

function count(state: UsageState, data: UsageSampled): void {
  const id = headOf(data.messageId, NAME_CHARS);
  const before = fieldOf(state.recent, id);
  // Repeated lines are ignored, because how often a line comes depends on how the transcript was read.
  if (before !== undefined && isSame(before, data)) return;
  const model = before?.model ?? modelOf(state, headOf(data.model ?? 'unknown', NAME_CHARS));
  const row = state.byModel[model]!;
  if (before === undefined) {
    state.messages += 1;
    row.messages += 1;
  }
  const { inputTokens, outputTokens, cacheCreationTokens, cacheReadTokens } = data;
  const now = { model, inputTokens, outputTokens, cacheCreationTokens, cacheReadTokens };
  for (const field of FIELDS) {
    const more = now[field] - (before?.[field] ?? 0);
    state.total[field] += more;
    row[field] += more;
  }
  if (before !== undefined) delete state.recent[keyOf(id)];
  state.recent[keyOf(id)] = now;
  if (before === undefined) dropOldest(state.recent, RECENT_MAX);
}

const isSame = (a: Row, b: Row): boolean => FIELDS.every((field) => a[field] === b[field]);

function modelOf(state: UsageState, model: string): string {
  const own = keyOf(model);
  if (Object.hasOwn(state.byModel, own)) return own;
  const key = Object.keys(state.byModel).length >= MODELS_MAX ? '(others)' : own;
  if (!Object.hasOwn(state.byModel, key)) state.byModel[key] = { ...NONE, messages: 0 };
  return key;
}
