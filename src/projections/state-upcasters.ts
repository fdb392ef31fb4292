import { noPreferences } from './folds/preferences.ts';
import { isObject } from './tools-text.ts';

/** A state as an older ben10 stored it, one version further on. Pure: it may change what it is given. */
type StateUpcaster = (state: State) => State;
type State = Record<string, unknown>;

/**
 * By projection and the version that is upcast from. They are for states whose events are gone; else a state is folded anew.
 * A projection that is raised to a new version gets one here, as long as stored states of it are kept for good.
 */
const UPCASTERS: Readonly<Record<string, Readonly<Record<number, StateUpcaster>>>> = {
  context: {
    // Clearing came with 6.
    5: (state) => ({ ...state, cleared: null }),
    // What is known of a file's content came with 7.
    6: (state) => withAside(state, (one) => ({ ...one, files: filesOf6(one.files) })),
    // Decisions about files that were changed from outside came with 8.
    7: (state) => withAside(state, (one) => ({ ...one, files: filesOf7(one.files) })),
    // Tools and corrections, and what each preference was learnt from, came with 9.
    8: (state) =>
      withAside(state, (one) => ({ ...one, preferences: preferencesOf8(one.preferences) })),
    // Rules are told from the errands beside them since 10: what is there stays as it is.
    9: (state) => state,
    // And since 11 by more of what an errand looks like.
    10: (state) => state,
    // Since 12 what was said to a call that was refused counts, and what takes a rule back is one.
    11: (state) => state,
    // Since 13 what the lists of statements do not hold any more is counted.
    12: (state) =>
      withAside(state, (one) => ({
        ...one,
        older: { rules: 0, tools: 0, corrections: 0, decisions: 0 },
      })),
    // The tasks that messages are about came with 14, and when a sub-agent said its last: of what is there nobody knows it.
    13: (state) =>
      withAside(state, (one) => ({ ...one, conversation: conversationOf13(one.conversation) })),
    // Since 15 what the end of a turn alone tells is a message: what is there stays as it is.
    14: (state) => state,
    // Since 16 more ways of taking a rule back are understood.
    15: (state) => state,
    // Since 17 a preference is named by its event.
    16: (state) =>
      withAside(state, (one) => ({ ...one, preferences: preferencesOf16(one.preferences) })),
  },
  cursors: {
    // Compactions that nothing was given back after came with 5.
    4: (state) => ({ ...state, unanswered: false }),
    // What a compaction by hand was told, and the model is shown, came with 6.
    5: (state) => ({ ...state, shown: null }),
    // What tells prompts and compactions apart that their client does not name came with 7.
    6: (state) => ({ ...state, worked: null, begun: null }),
  },
  'recall-use': {
    // What a client shows of what a compaction was told came with 2.
    1: (state) => ({ ...state, told: null }),
  },
  evidence: {
    // Sentences are weighed by other signs since 3: what is there stays as it is.
    2: (state) => state,
    // Since 4 a question waits for its answer.
    3: (state) => ({ ...state, asked: null }),
    // Since 5 what the user chose and refused when asked is told as such, an error is linked with what names it alone, and
    // what was supposed before a prompt can be refuted.
    4: (state) => ({ ...state, prompted: 0 }),
    // Since 6 what was mended has the event by which it had failed: of what is there nobody knows it any more.
    5: (state) => state,
    // What the end of a turn alone tells came with 7.
    6: (state) => ({ ...state, said: '' }),
    // Since 8 more signs of what was tried, rejected by its plain name, and failed in a check's output.
    7: (state) => state,
    // Since 9 a bar of progress is told by what a terminal has of it in the end.
    8: (state) => state,
  },
};

/** The same step for what a clear set aside. */
function withAside(state: State, step: StateUpcaster): State {
  const { cleared } = step(state);
  if (!isObject(cleared) || !isObject(cleared.aside)) return step(state);
  return { ...step(state), cleared: { ...cleared, aside: step(cleared.aside) } };
}

const TOOLS_OF_6: Record<string, string> = {
  read: 'Read',
  edited: 'Edit',
  created: 'Write',
  written: 'Write',
};

function filesOf6(state: unknown): unknown {
  if (!isObject(state) || !isObject(state.files) || !isObject(state.open)) return state;
  const files = mapped(state.files, (file) => {
    const lastTool = TOOLS_OF_6[String(file.lastAction)] ?? '';
    return { writes: lastTool === 'Write' ? 1 : 0, lastTool, known: null, summary: '', ...file };
  });
  const open = mapped(state.open, (call) => {
    const tool = TOOLS_OF_6[String(call.action)] ?? '';
    return { tool, content: null, summary: '', ...call };
  });
  return { changes: [], ...state, files, open };
}

const filesOf7 = (state: unknown): unknown =>
  isObject(state) && isObject(state.files)
    ? { ...state, files: mapped(state.files, (file) => ({ merged: null, ...file })) }
    : state;

function preferencesOf8(state: unknown): unknown {
  if (!isObject(state) || !Array.isArray(state.rules)) return state;
  const rules = state.rules.map((rule, n) => {
    if (!isObject(rule) || typeof rule.text !== 'string') return rule;
    return { key: `${rule.seq}.${n + 1}`, seqs: [rule.seq], count: 1, ...rule };
  });
  return { ...noPreferences(), rules };
}

const preferencesOf16 = (state: unknown): unknown =>
  isObject(state)
    ? Object.fromEntries(
        Object.entries(state).map(([kind, list]) => [
          kind,
          Array.isArray(list)
            ? list.map((one, n) => ({ ...one, key: `${one.seqs?.[0] ?? one.seq}.${n + 1}` }))
            : list,
        ]),
      )
    : state;

function conversationOf13(state: unknown): unknown {
  if (!isObject(state) || !Array.isArray(state.messages) || !Array.isArray(state.subagents))
    return state;
  const messages = state.messages.map((message) =>
    isObject(message) && isObject(message.metadata)
      ? { ...message, metadata: { taskReferences: [], ...message.metadata } }
      : message,
  );
  return { ...state, messages, subagents: state.subagents.map((one) => ({ at: 0, ...one })) };
}

const mapped = (record: State, change: (value: State) => State): State =>
  Object.fromEntries(
    Object.entries(record).map(([key, value]) => [key, isObject(value) ? change(value) : value]),
  );

/**
 * @returns undefined when no way leads from there to `to`
 */
export function upcastState(projection: string, state: unknown, from: number, to: number): unknown {
  if (typeof state !== 'object' || state === null || Array.isArray(state)) return undefined;
  const steps = Object.hasOwn(UPCASTERS, projection) ? UPCASTERS[projection]! : {};
  let upcast = state as State;
  for (let version = from; version < to; version += 1) {
    const step = Object.hasOwn(steps, version) ? steps[version] : undefined;
    if (step === undefined) return undefined;
    upcast = step(upcast);
  }
  return upcast;
}
