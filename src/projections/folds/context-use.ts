import type {
  CheckpointDeferred,
  CompactionFinished,
  ContextAlerted,
  ContextCompacting,
  ContextSampled,
  Level,
  Text,
  UsageSampled,
} from '../../events/types.ts';
import { dropOldest, fieldOf, headOf, keepNewest, keyOf } from '../bounds.ts';
import { type Fact, foldedBy, type Projection } from '../contract.ts';
import { bytesOf } from '../tools-text.ts';
import { callBegan, callEnded, noMarks, type WorkMarks } from '../work-marks.ts';
import { rewoundTo } from './rewind.ts';

/** What was said and done in an epoch: from a compaction or a large rewind to the next one. */
export interface EpochUse {
  level: Level;
  /** Of the level so far: the next one's number. */
  changes: number;
  alerted: { level: Level; event: string; at: number; isAgain: boolean }[];
  deferrals: number;
  deferredUntil: number | null;
}

export interface ContextUseState {
  /** Id of the newest compaction. */
  compaction: string | null;
  /** Since then, those that took back more than a tenth of the window. */
  rewinds: number;
  tokens: number | null;
  /** Counted from what a compaction left: no call said so. */
  isRough: boolean;
  model: string | null;
  /** Of the session's first call: its instructions and tools. */
  firstTokens: number | null;
  /** As the client said it. */
  window: number | null;
  costUsd: number | null;
  /** Set by a rewind until the next call: what was used before. */
  rewoundFrom: number | null;
  /** The client's own settings of compaction, as the session began. */
  compacting: ContextCompacting | null;
  /** By epoch, and not by their place: hooks report them beside what the transcript knows better. */
  epochs: Record<string, EpochUse>;
  /** Told to the user once a session. */
  hints: string[];
  work: WorkMarks;
}

const EPOCHS_MAX = 6;
const ALERTS_MAX = 8;
const NAME_CHARS = 200;
const HINTS_MAX = 10;
const CHARS_PER_TOKEN = 3.6;
const WINDOW_USUAL = 200_000;
/** A rewind of less takes back too little to begin anew. */
const REWIND_MIN = 0.1;

/** How a session's context was used, and what was said of it. */
export const contextUse: Projection<ContextUseState> = {
  name: 'context-use',
  version: 5,
  scope: 'session',
  initial: () => ({
    compaction: null,
    rewinds: 0,
    tokens: null,
    isRough: false,
    model: null,
    firstTokens: null,
    window: null,
    costUsd: null,
    rewoundFrom: null,
    compacting: null,
    epochs: {},
    hints: [],
    work: noMarks(),
  }),
  ...foldedBy<ContextUseState>({
    'usage.sampled': used,
    'context.sampled': (state, fact) => said(state, fact),
    'context.compacting': (state, { data }) => {
      state.compacting = data;
    },
    'compaction.finished': compacted,
    'prompt.submitted': rewound,
    'message.recorded': rewound,
    'context.level-changed': (state, { data }) => {
      const epoch = epochIn(state, data.epoch);
      epoch.level = data.to;
      epoch.changes += 1;
    },
    'context.alerted': alerted,
    'checkpoint.deferred': deferred,
    'tool.called': ({ work }, fact) => callBegan(work, fact),
    'tool.succeeded': ({ work }, fact) => callEnded(work, fact),
    'tool.failed': ({ work }, fact) => callEnded(work, fact),
  }),
};

/** Names the part of a session in which a level is told once. */
export const epochOf = ({ compaction, rewinds }: ContextUseState): string =>
  rewinds === 0 ? (compaction ?? 'start') : `${compaction ?? 'start'}-${rewinds}`;

const NEW: Readonly<EpochUse> = {
  level: 'L0',
  changes: 0,
  alerted: [],
  deferrals: 0,
  deferredUntil: null,
};

/** Of the current epoch. */
export const useNow = (state: ContextUseState): Readonly<EpochUse> =>
  fieldOf(state.epochs, headOf(epochOf(state), NAME_CHARS)) ?? NEW;

function epochIn({ epochs }: ContextUseState, name: string): EpochUse {
  const key = headOf(name, NAME_CHARS);
  const known = fieldOf(epochs, key);
  if (known !== undefined) return known;
  const added = { ...NEW, alerted: [] };
  epochs[keyOf(key)] = added;
  dropOldest(epochs, EPOCHS_MAX);
  return added;
}

function used(state: ContextUseState, { agent, data }: Fact<UsageSampled>): void {
  const tokens = data.inputTokens + data.cacheCreationTokens + data.cacheReadTokens;
  if (agent !== null || !(tokens > 0)) return;
  const from = state.rewoundFrom;
  state.rewoundFrom = null;
  if (from !== null && from - tokens > REWIND_MIN * (state.window ?? WINDOW_USUAL))
    state.rewinds += 1;
  const model = data.model === undefined ? state.model : headOf(data.model, NAME_CHARS);
  state.firstTokens ??= tokens;
  Object.assign(state, { tokens, model, isRough: false });
}

/** The window and the cost are the client's to know; its tokens come with its transcript, too. */
function said(state: ContextUseState, { data }: Fact<ContextSampled>): void {
  if (data.windowFrom === 'client') state.window = data.window;
  if (data.model !== undefined) state.model = headOf(data.model, NAME_CHARS);
  state.costUsd = data.costUsd ?? state.costUsd;
}

function compacted(state: ContextUseState, { agent, id, data }: Fact<CompactionFinished>): void {
  if (agent !== null) return;
  const left = (state.firstTokens ?? 0) + charsOf(data.summary) / CHARS_PER_TOKEN;
  const tokens = data.postTokens ?? Math.round(left);
  const begun = { compaction: id, rewinds: 0, rewoundFrom: null };
  Object.assign(state, { ...begun, tokens, isRough: true });
}

const charsOf = (text: Text): number => (typeof text === 'string' ? text.length : bytesOf(text));

function rewound(state: ContextUseState, fact: Fact): void {
  if (rewoundTo(fact) !== undefined) state.rewoundFrom ??= state.tokens;
}

function alerted(state: ContextUseState, { at, data }: Fact<ContextAlerted>): void {
  if (data.hint !== undefined) {
    if (!state.hints.includes(data.hint)) state.hints.push(headOf(data.hint, NAME_CHARS));
    keepNewest(state.hints, HINTS_MAX);
    return;
  }
  const { alerted: told } = epochIn(state, data.epoch);
  const isAgain = told.some(({ level }) => level === data.level);
  if (told.length < ALERTS_MAX)
    told.push({ level: data.level, event: headOf(data.event, NAME_CHARS), at, isAgain });
}

function deferred(state: ContextUseState, { data }: Fact<CheckpointDeferred>): void {
  const epoch = epochIn(state, data.epoch);
  epoch.deferrals += 1;
  epoch.deferredUntil = Math.max(epoch.deferredUntil ?? 0, data.until);
}
