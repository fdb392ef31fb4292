import type { UsageSampled } from '../../events/types.ts';
import { type Fact, keyOf, type Projection } from '../contract.ts';

interface Row {
  inputTokens: number;
  outputTokens: number;
  cacheCreationTokens: number;
  cacheReadTokens: number;
}

export interface UsageState {
  /** API messages; each counted once, by its last line. */
  messages: number;
  total: Row;
  byModel: Record<string, Row & { messages: number }>;
  /** Tokens in the main thread's context at its last message: input and both kinds of cache. */
  contextTokens: number | null;
  /** The newest rows by message id, so that a later line of the same message replaces the earlier one. */
  recent: Record<string, Row & { model: string }>;
}

/** The lines of one message stand together; this many messages back is far beyond what was ever seen. */
const RECENT_MAX = 64;
const MODELS_MAX = 100;
const NONE: Row = { inputTokens: 0, outputTokens: 0, cacheCreationTokens: 0, cacheReadTokens: 0 };
const FIELDS = ['inputTokens', 'outputTokens', 'cacheCreationTokens', 'cacheReadTokens'] as const;

/** Tokens, one row an API message; the last line wins, nothing is counted twice. */
export const usage: Projection<UsageState> = {
  name: 'usage',
  version: 1,
  scope: 'session',
  types: ['usage.sampled'],
  initial: () => ({
    messages: 0,
    total: { ...NONE },
    byModel: {},
    contextTokens: null,
    recent: {},
  }),
  apply(state, fact) {
    const { agent, data } = fact as Fact<UsageSampled>;
    const before = Object.hasOwn(state.recent, data.messageId)
      ? state.recent[data.messageId]
      : undefined;
    const model = modelKey(state, before?.model ?? data.model ?? 'unknown');
    if (before === undefined) {
      state.messages += 1;
      state.byModel[model]!.messages += 1;
    }
    for (const field of FIELDS) {
      const more = data[field] - (before?.[field] ?? 0);
      state.total[field] += more;
      state.byModel[model]![field] += more;
    }
    remember(state, data, model);
    if (agent === null) {
      state.contextTokens = data.inputTokens + data.cacheCreationTokens + data.cacheReadTokens;
    }
    return state;
  },
};

function modelKey(state: UsageState, model: string): string {
  const full = Object.keys(state.byModel).length >= MODELS_MAX;
  const key = Object.hasOwn(state.byModel, model) || !full ? model : '(others)';
  if (!Object.hasOwn(state.byModel, key)) state.byModel[key] = { ...NONE, messages: 0 };
  return key;
}

function remember(state: UsageState, data: UsageSampled, model: string): void {
  const row = { model } as Row & { model: string };
  for (const field of FIELDS) row[field] = data[field];
  delete state.recent[keyOf(data.messageId)];
  state.recent[keyOf(data.messageId)] = row;
  const ids = Object.keys(state.recent);
  if (ids.length > RECENT_MAX) delete state.recent[ids[0]!];
}
