import type { MessageRecorded, PromptSubmitted } from '../../events/types.ts';
import { headOf } from '../bounds.ts';
import type { Fact, Projection } from '../contract.ts';
import { textOf } from '../tools-text.ts';
import {
  applyConversation,
  CONVERSATION_TYPES,
  type Conversation,
  emptyConversation,
} from './conversation.ts';
import { type FilesState, files } from './files.ts';
import { forget, state as note, type Statement } from './statement-list.ts';
import { decisionsIn, rulesIn } from './statements.ts';
import { type TasksState, tasks } from './tasks.ts';
import { type ToolsState, tools } from './tools.ts';
import { type UsageState, usage } from './usage.ts';

export type { Statement } from './statement-list.ts';

/** Everything that one session's agent knew, did and had open. */
export interface ContextState {
  directory: string | null;
  createdAt: number | null;
  updatedAt: number | null;
  conversation: Conversation;
  files: FilesState;
  tools: ToolsState;
  tasks: TasksState;
  usage: UsageState;
  preferences: {
    /** What the user commanded or forbade in general, in the user's words. */
    rules: Statement[];
  };
  /** What the model said that it decided, and why. */
  decisions: Statement[];
}

/** A longer path is none that a file system takes. */
const DIRECTORY_CHARS = 4096;
const PARTS = [files, tools, tasks, usage] as const;

/** One session's context: the parts' own folds, the conversation, and what was stated in it. */
export const context: Projection<ContextState> = {
  name: 'context',
  version: 5,
  scope: 'session',
  types: [...new Set([...CONVERSATION_TYPES, ...PARTS.flatMap((part) => part.types)])],
  initial: () => ({
    directory: null,
    createdAt: null,
    updatedAt: null,
    conversation: emptyConversation(),
    files: files.initial(),
    tools: tools.initial(),
    tasks: tasks.initial(),
    usage: usage.initial(),
    preferences: { rules: [] },
    decisions: [],
  }),
  apply(state, fact) {
    // Sub-agents' ends are known to hooks alone, so they do not move the clock.
    if (fact.type !== 'subagent.stopped') {
      if (fact.at > 0) state.createdAt ??= fact.at;
      if (fact.at > 0) state.updatedAt = Math.max(state.updatedAt ?? 0, fact.at);
    }
    applyConversation(state.conversation, fact);
    for (const part of PARTS) {
      if (part.types.includes(fact.type)) part.apply(state[part.name as 'files'] as never, fact);
    }
    if (fact.agent === null) applyStatements(state, fact);
    return state;
  },
};

/** What was stated on a branch that a rewind abandoned does not hold any more. */
function applyStatements(state: ContextState, fact: Fact): void {
  const { rules } = state.preferences;
  const rewoundTo = fact.trace?.rewoundTo;
  if (rewoundTo !== undefined) {
    state.preferences.rules = forget(rules, rewoundTo);
    state.decisions = forget(state.decisions, rewoundTo);
  }
  if (fact.type === 'prompt.submitted') {
    const { text, cwd } = fact.data as PromptSubmitted;
    if (cwd !== undefined) state.directory ??= headOf(cwd, DIRECTORY_CHARS);
    note(state.preferences.rules, rulesIn(textOf(text) ?? ''), fact);
  } else if (fact.type === 'message.recorded') {
    const { kind, text } = fact.data as MessageRecorded;
    if (kind === 'text') note(state.decisions, decisionsIn(textOf(text) ?? ''), fact);
  }
}
