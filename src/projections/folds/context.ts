import type { MessageRecorded, PromptSubmitted } from '../../events/types.ts';
import { type Fact, keepNewest, type Projection } from '../contract.ts';
import {
  applyConversation,
  CONVERSATION_TYPES,
  type Conversation,
  emptyConversation,
} from './conversation.ts';
import { type FilesState, files } from './files.ts';
import { decisionsIn, rulesIn } from './statements.ts';
import { type TasksState, tasks } from './tasks.ts';
import { type ToolsState, tools } from './tools.ts';
import { type UsageState, usage } from './usage.ts';

export interface Statement {
  text: string;
  seq: number;
  at: number;
}

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

const RULES_MAX = 150;
const DECISIONS_MAX = 150;
const PARTS = [files, tools, tasks, usage] as const;

/** One session's context: the parts' own folds, the conversation, and what was stated in it. */
export const context: Projection<ContextState> = {
  name: 'context',
  version: 1,
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
      state.createdAt ??= fact.at;
      state.updatedAt = Math.max(state.updatedAt ?? 0, fact.at);
    }
    applyConversation(state.conversation, fact);
    for (const part of PARTS) {
      if (part.types.includes(fact.type)) part.apply(state[part.name as 'files'] as never, fact);
    }
    if (fact.agent === null) applyStatements(state, fact);
    return state;
  },
};

function applyStatements(state: ContextState, fact: Fact): void {
  const { seq, at } = fact;
  if (fact.type === 'prompt.submitted') {
    const { text, cwd } = fact.data as PromptSubmitted;
    state.directory ??= cwd ?? null;
    add(state.preferences.rules, rulesIn(text), { seq, at }, RULES_MAX);
  } else if (fact.type === 'message.recorded') {
    const { kind, text } = fact.data as MessageRecorded;
    if (kind === 'text') add(state.decisions, decisionsIn(text), { seq, at }, DECISIONS_MAX);
  }
}

/** A statement that is made again moves to the end: it still holds. */
function add(
  list: Statement[],
  texts: string[],
  where: { seq: number; at: number },
  max: number,
): void {
  for (const text of texts) {
    const before = list.findIndex((one) => one.text === text);
    if (before !== -1) list.splice(before, 1);
    list.push({ text, ...where });
  }
  keepNewest(list, max);
}
