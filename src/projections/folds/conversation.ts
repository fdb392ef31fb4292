import type {
  CompactionFinished,
  MessageRecorded,
  PromptSubmitted,
  SubagentStopped,
  ToolCalled,
} from '../../events/types.ts';
import { estimateTokens, headOf, keepNewest, keepNewestWithin, tailOf } from '../bounds.ts';
import type { Fact } from '../contract.ts';
import {
  aboutOf,
  askedIn,
  bytesOf,
  fileOf,
  isOwnCommand,
  isOwnTool,
  textOf,
} from '../tools-text.ts';

export interface Message {
  id: string;
  seq: number;
  role: 'user' | 'assistant' | 'system';
  /** Its start; the journal has the whole text at `seq`. */
  content: string;
  /** Of a prompt that `content` has only in part: what is asked often comes last. */
  end?: string;
  timestamp: number;
  tokenCount: number;
  metadata: {
    toolCalls: string[];
    fileReferences: string[];
    /** The client's ids of the tasks that its calls changed. */
    taskReferences: string[];
  };
  /** Byte offset in the transcript, where known, to compare with a rewind's. */
  pos: number | null;
}

export interface Compaction {
  seq: number;
  at: number;
  trigger: string;
  summary: string;
}

interface Subagent {
  agent: string;
  toolCalls: number;
  /** Its report, if the client passed one on. */
  result: string;
  seq: number;
  /** Milliseconds since the epoch; 0 when unknown. */
  at: number;
  /** Of the main thread's last message before it, to compare with a rewind's. */
  pos: number | null;
}

export interface Conversation {
  /** The newest on the live branch, oldest first. */
  messages: Message[];
  /** The user's first prompts and the newest ones that `messages` no longer has, oldest first. */
  earlierPrompts: Message[];
  messageCount: number;
  abandonedCount: number;
  summary: string | null;
  compactions: Compaction[];
  compactionCount: number;
  subagents: Subagent[];
}

const MESSAGES_MAX = 300;
/** Together, including the notes on their calls. */
const MESSAGES_CHARS_MAX = 250_000;
/** A long turn's messages must not push out what the user asked. */
const EARLIER_PROMPTS_MAX = 10;
const PROMPT_CHARS = 4000;
const PROMPT_END_CHARS = 400;
const TEXT_CHARS = 1200;
const CALL_CHARS = 160;
const PATH_CHARS = 1000;
const SUMMARY_CHARS = 8000;
const COMPACTIONS_MAX = 10;
const TRIGGER_CHARS = 50;
const SUBAGENTS_MAX = 100;
const REPORT_CHARS = 600;
/** The newest reports are kept in more detail. */
const NEW_REPORTS = 10;
const NEW_REPORT_CHARS = 3000;
const AGENT_CHARS = 100;
const REFERENCES_MAX = 50;
/** For files, and for tasks, of one message's calls. */
const REFERENCES_CHARS_MAX = 5000;

export const CONVERSATION_TYPES = [
  'prompt.submitted',
  'message.recorded',
  'tool.called',
  'compaction.finished',
  'subagent.stopped',
  'turn.ended',
] as const;

export const emptyConversation = (): Conversation => ({
  messages: [],
  earlierPrompts: [],
  messageCount: 0,
  abandonedCount: 0,
  summary: null,
  compactions: [],
  compactionCount: 0,
  subagents: [],
});

/** The main thread's live branch; each sub-agent as one entry. */
export function applyConversation(state: Conversation, fact: Fact): void {
  if (fact.agent !== null) {
    subagent(state, fact, headOf(fact.agent, AGENT_CHARS));
    return;
  }
  if (fact.trace?.rewoundTo !== undefined) rewind(state, fact.trace.rewoundTo);
  if (fact.type === 'prompt.submitted') {
    const { text } = fact.data as PromptSubmitted;
    push(state, fact, isOwnCommand(textOf(text) ?? '') ? 'system' : 'user', text, PROMPT_CHARS);
  } else if (fact.type === 'message.recorded') message(state, fact as Fact<MessageRecorded>);
  else if (fact.type === 'tool.called') toolCall(state, fact as Fact<ToolCalled>);
  else if (fact.type === 'compaction.finished') compaction(state, fact as Fact<CompactionFinished>);
}

/** @param to last byte offset on the live branch */
function rewind(state: Conversation, to: number): void {
  const isLive = ({ pos }: { pos: number | null }) => pos === null || pos <= to;
  const live = state.messages.filter(isLive);
  const abandoned = state.messages.length - live.length;
  state.messages = live;
  state.earlierPrompts = state.earlierPrompts.filter(isLive);
  state.subagents = state.subagents.filter(isLive);
  state.messageCount -= abandoned;
  state.abandonedCount += abandoned;
}

function push(
  state: Conversation,
  fact: Fact,
  role: Message['role'],
  text: PromptSubmitted['text'],
  chars: number,
): void {
  const { id, seq, at, trace } = fact;
  const content = role === 'user' ? askedIn(text) : (textOf(text) ?? '');
  state.messages.push({
    id,
    seq,
    role,
    content: headOf(content, chars),
    ...(role === 'user' && content.length > chars && { end: tailOf(content, PROMPT_END_CHARS) }),
    timestamp: at,
    tokenCount: estimateTokens(bytesOf(text)),
    metadata: { toolCalls: [], fileReferences: [], taskReferences: [] },
    pos: trace?.pos ?? null,
  });
  state.messageCount += 1;
  const all = state.messages.slice();
  keepNewestWithin(state.messages, MESSAGES_MAX, MESSAGES_CHARS_MAX, charsOf);
  const dropped = all.slice(0, all.length - state.messages.length).filter(isUsers);
  const [first, ...others] = [...state.earlierPrompts, ...dropped];
  state.earlierPrompts =
    first === undefined ? [] : [first, ...others.slice(1 - EARLIER_PROMPTS_MAX)];
}

const isUsers = ({ role }: Message): boolean => role === 'user';

/** The user's prompts, oldest first. */
export const promptsOf = ({ earlierPrompts, messages }: Conversation): Message[] => [
  ...earlierPrompts,
  ...messages.filter(isUsers),
];

/** How much of the conversation's limits these messages take; above 1 the oldest are dropped. */
export const shareOf = (messages: readonly Message[]): number =>
  Math.max(
    messages.length / MESSAGES_MAX,
    messages.reduce((sum, message) => sum + charsOf(message), 0) / MESSAGES_CHARS_MAX,
  );

const charsOf = ({ content, metadata }: Message): number =>
  content.length +
  totalOf(metadata.toolCalls) +
  totalOf(metadata.fileReferences) +
  totalOf(metadata.taskReferences);

const totalOf = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + text.length, 0);

function message(state: Conversation, fact: Fact<MessageRecorded>): void {
  const { kind, role, text } = fact.data;
  if (kind !== 'thinking')
    push(state, fact, kind === 'command' ? 'system' : role, text, TEXT_CHARS);
}

/** Belongs to the model's last message; an empty one is added when it calls without a word. */
function toolCall(state: Conversation, fact: Fact<ToolCalled>): void {
  const { name, input } = fact.data;
  if (isOwnTool(name)) return;
  if (state.messages.at(-1)?.role !== 'assistant') push(state, fact, 'assistant', '', TEXT_CHARS);
  const { toolCalls, fileReferences } = state.messages.at(-1)!.metadata;
  toolCalls.push(headOf(`${name} ${aboutOf(input)}`.trim(), CALL_CHARS));
  keepNewest(toolCalls, REFERENCES_MAX);
  const file = fileOf(input);
  if (file === undefined) return;
  refer(fileReferences, headOf(file, PATH_CHARS));
}

/** A call's result names its tasks. The model says nothing between the two. */
export function referToTasks({ messages }: Conversation, ids: readonly string[]): void {
  const said = messages.findLast(({ role }) => role === 'assistant');
  if (said !== undefined) for (const id of ids) refer(said.metadata.taskReferences, id);
}

function refer(references: string[], to: string): void {
  if (!references.includes(to)) references.push(to);
  keepNewestWithin(references, REFERENCES_MAX, REFERENCES_CHARS_MAX, (one) => one.length);
}

function compaction(state: Conversation, fact: Fact<CompactionFinished>): void {
  const summary = headOf(textOf(fact.data.summary) ?? '', SUMMARY_CHARS);
  const trigger = headOf(fact.data.trigger, TRIGGER_CHARS);
  state.summary = summary;
  state.compactions.push({ seq: fact.seq, at: fact.at, trigger, summary: headOf(summary, 500) });
  state.compactionCount += 1;
  keepNewest(state.compactions, COMPACTIONS_MAX);
}

function subagent(state: Conversation, fact: Fact, agent: string): void {
  let own = state.subagents.find((one) => one.agent === agent);
  if (own === undefined) {
    const pos = state.messages.at(-1)?.pos ?? null;
    own = { agent, toolCalls: 0, result: '', seq: fact.seq, at: fact.at, pos };
    state.subagents.push(own);
    keepNewest(state.subagents, SUBAGENTS_MAX);
  }
  if (fact.type === 'tool.called') own.toolCalls += 1;
  const report = reportOf(fact);
  if (report === undefined) return;
  own.result = headOf(report, NEW_REPORT_CHARS);
  own.seq = fact.seq;
  own.at = fact.at;
  for (const old of state.subagents.slice(0, -NEW_REPORTS))
    old.result = headOf(old.result, REPORT_CHARS);
}

/** What the sub-agent said last; its task is the main thread's text. */
function reportOf(fact: Fact): string | undefined {
  if (fact.type === 'subagent.stopped') return textOf((fact.data as SubagentStopped).lastMessage);
  if (fact.type !== 'message.recorded') return undefined;
  const { role, kind, text } = fact.data as MessageRecorded;
  return role === 'assistant' && kind === 'text' ? textOf(text) : undefined;
}
