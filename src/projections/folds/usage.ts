import type { UsageSampled } from '../../events/types.ts';
import { dropOldest, fieldOf, headOf, keyOf } from '../bounds.ts';
import type { Fact, Projection } from '../contract.ts';

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
const MODELS_MAX = 50;
/** Of a model's name and a message's id. */
const NAME_CHARS = 200;
const NONE: Row = { inputTokens: 0, outputTokens: 0, cacheCreationTokens: 0, cacheReadTokens: 0 };
const FIELDS = ['inputTokens', 'outputTokens', 'cacheCreationTokens', 'cacheReadTokens'] as const;

/** Tokens, one row an API message; the last line wins, nothing is counted twice. */
export const usage: Projection<UsageState> = {
  name: 'usage',
  version: 3,
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
    if (agent === null) {
      state.contextTokens = data.inputTokens + data.cacheCreationTokens + data.cacheReadTokens;
    }
    // What a forked session begins with was used by the one before, and is counted there.
    if (data.copied !== true) count(state, data);
    return state;
  },
};

function count(state: UsageState, data: UsageSampled): void {
  const id = headOf(data.messageId, NAME_CHARS);
  const before = fieldOf(state.recent, id);
  // Told again it is no news: how often depends on how its transcript was read.
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

const isSame = (a: Row, b: Row): boolean =>
  a.inputTokens === b.inputTokens &&
  a.outputTokens === b.outputTokens &&
  a.cacheCreationTokens === b.cacheCreationTokens &&
  a.cacheReadTokens === b.cacheReadTokens;

/** The key of the model's row; models beyond the limit share one. */
function modelOf(state: UsageState, model: string): string {
  const own = keyOf(model);
  if (Object.hasOwn(state.byModel, own)) return own;
  const key = Object.keys(state.byModel).length >= MODELS_MAX ? '(others)' : own;
  if (!Object.hasOwn(state.byModel, key)) state.byModel[key] = { ...NONE, messages: 0 };
  return key;
}
