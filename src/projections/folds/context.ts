import type {
  ContextCleared,
  ContextRestored,
  MessageRecorded,
  PreferenceRetracted,
  PromptSubmitted,
  ToolFailed,
  ToolSucceeded,
  TurnEnded,
} from '../../events/types.ts';
import { headOf, keepNewest } from '../bounds.ts';
import type { Fact, Projection } from '../contract.ts';
import { askedIn, isOwnCommand, textOf } from '../tools-text.ts';
import { answersIn, refusalOf } from '../user-answers.ts';
import {
  applyConversation,
  CONVERSATION_TYPES,
  type Conversation,
  emptyConversation,
  referToTasks,
} from './conversation.ts';
import { type FilesState, files } from './files.ts';
import { unheard } from './last-words.ts';
import {
  forgetPreferences,
  learn,
  learnRefusal,
  noPreferences,
  type Preferences,
  withoutPreference,
} from './preferences.ts';
import { decisionsIn, forget, state as note, type Statement } from './statements.ts';
import { type TasksState, tasks, tasksOf } from './tasks.ts';
import { type ToolsState, tools } from './tools.ts';
import { type UsageState, usage } from './usage.ts';

export type { Preferences } from './preferences.ts';
export type { Statement } from './statements.ts';

export interface ContextState {
  directory: string | null;
  createdAt: number | null;
  updatedAt: number | null;
  conversation: Conversation;
  files: FilesState;
  tools: ToolsState;
  tasks: TasksState;
  usage: UsageState;
  preferences: Preferences;
  decisions: Statement[];
  /** How many older statements each list has dropped. */
  older: Record<StatedList, number>;
  /** Set aside by a clear; null otherwise. */
  cleared: Cleared | null;
}

export interface Cleared {
  /** The last event before the clear. */
  upto: number;
  at: number;
  /** The context as if it had not been cleared; folded on, so that a restore is complete. */
  aside: ContextState;
}

type StatedList = keyof Preferences | 'decisions';

const STATED_MAX: Record<StatedList, number> = {
  rules: 100,
  tools: 50,
  corrections: 50,
  decisions: 100,
};

const STATED = Object.keys(STATED_MAX) as StatedList[];

const DIRECTORY_CHARS = 4096;
const PARTS = [files, tools, tasks, usage] as const;
/** Parts by the types that they fold. */
const PARTS_OF = new Map<string, (typeof PARTS)[number][]>();
for (const part of PARTS)
  for (const type of part.types) PARTS_OF.set(type, [...(PARTS_OF.get(type) ?? []), part]);

/** One session's context: the parts' folds, the conversation, and the statements in it. */
export const context: Projection<ContextState> = {
  name: 'context',
  version: 23,
  scope: 'session',
  rolling: true,
  types: [
    ...new Set([...CONVERSATION_TYPES, ...PARTS.flatMap((part) => part.types)]),
    'context.cleared',
    'context.restored',
    'preference.retracted',
  ],
  initial: () => ({
    directory: null,
    createdAt: null,
    updatedAt: null,
    conversation: emptyConversation(),
    files: files.initial(),
    tools: tools.initial(),
    tasks: tasks.initial(),
    usage: usage.initial(),
    preferences: noPreferences(),
    decisions: [],
    older: { rules: 0, tools: 0, corrections: 0, decisions: 0 },
    cleared: null,
  }),
  apply(state, fact) {
    if (fact.type === 'context.cleared') return clear(state, fact as Fact<ContextCleared>);
    if (fact.type === 'context.restored') return restored(state, fact as Fact<ContextRestored>);
    if (fact.type === 'preference.retracted')
      return retracted(state, fact as Fact<PreferenceRetracted>);
    if (state.cleared !== null) applyTo(state.cleared.aside, fact);
    applyTo(state, fact);
    return state;
  },
};

function clear(state: ContextState, { at, data }: Fact<ContextCleared>): ContextState {
  const aside = state.cleared?.aside ?? state;
  const { directory } = state;
  return { ...context.initial(), directory, cleared: { upto: data.upto, at, aside } };
}

/** A restore to before a clear undoes it; a restore of some parts does not. */
export const undoesClear = (
  { cleared }: Pick<ContextState, 'cleared'>,
  { upto, mode }: Pick<ContextRestored, 'upto' | 'mode'>,
): boolean =>
  cleared !== null && mode !== 'selective' && upto !== undefined && upto <= cleared.upto;

const restored = (state: ContextState, { data }: Fact<ContextRestored>): ContextState =>
  undoesClear(state, data) ? state.cleared!.aside : state;

/** Also in what was set aside: a restore must not bring it back. */
function retracted(state: ContextState, fact: Fact<PreferenceRetracted>): ContextState {
  const preferences = withoutPreference(state.preferences, fact.data);
  const { cleared } = state;
  const aside = cleared && { ...cleared, aside: retracted(cleared.aside, fact) };
  return { ...state, preferences, cleared: aside };
}

function applyTo(state: ContextState, event: Fact): void {
  const fact =
    event.type === 'turn.ended'
      ? unheard(state.conversation.messages, event as Fact<TurnEnded>)
      : event;
  if (fact === undefined) return;
  // Only hooks know the ends of sub-agents, so these do not move the clock.
  if (fact.type !== 'subagent.stopped') {
    if (fact.at > 0) state.createdAt ??= fact.at;
    if (fact.at > 0) state.updatedAt = Math.max(state.updatedAt ?? 0, fact.at);
  }
  applyConversation(state.conversation, fact);
  if (fact.agent === null && fact.type === 'tool.succeeded')
    referToTasks(state.conversation, tasksOf(state.tasks, fact as Fact<ToolSucceeded>));
  for (const part of PARTS_OF.get(fact.type) ?? [])
    part.apply(state[part.name as 'files'] as never, fact);
  if (fact.agent === null) applyStatements(state, fact);
}

/** A rewind takes back what was stated on the abandoned branch. */
function applyStatements(state: ContextState, fact: Fact): void {
  const rewoundTo = fact.trace?.rewoundTo;
  if (rewoundTo !== undefined) {
    state.preferences = forgetPreferences(state.preferences, rewoundTo);
    state.decisions = forget(state.decisions, rewoundTo);
  }
  if (fact.type === 'prompt.submitted') {
    const { text, cwd } = fact.data as PromptSubmitted;
    if (cwd !== undefined) state.directory ??= headOf(cwd, DIRECTORY_CHARS);
    // The prompt itself is one of the messages.
    const said = askedIn(text);
    if (!isOwnCommand(said))
      learn(state.preferences, said, fact, state.conversation.messageCount > 1);
  } else if (fact.type === 'message.recorded') {
    const { kind, text } = fact.data as MessageRecorded;
    if (kind === 'text') note(state.decisions, decisionsIn(textOf(text) ?? ''), fact);
  } else if (fact.type === 'tool.succeeded' || fact.type === 'tool.failed') {
    answeredCall(state, fact as Fact<ToolSucceeded | ToolFailed>);
  }
  for (const name of STATED) {
    const list = name === 'decisions' ? state.decisions : state.preferences[name];
    if (list.length > STATED_MAX[name])
      state.older[name] += keepNewest<Statement>(list, STATED_MAX[name]);
  }
}

/** The user's answers and refusals count like typed text. */
function answeredCall({ preferences, tools }: ContextState, fact: Fact): void {
  const { toolUseId, response, error, isInterrupt } = fact.data as ToolSucceeded & ToolFailed;
  const name = tools.runs.findLast((run) => run.toolUseId === toolUseId)?.name;
  if (name === undefined) return;
  if (fact.type === 'tool.failed') {
    const { words = null } = refusalOf(name, textOf(error) ?? '', isInterrupt) ?? {};
    if (words !== null) learnRefusal(preferences, words, fact);
  } else if (name === 'AskUserQuestion') {
    for (const { answer, isOwn } of answersIn(response))
      if (isOwn) learn(preferences, answer, fact, true);
  }
}
