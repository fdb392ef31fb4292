import type {
  CompactionFinished,
  MessageRecorded,
  PromptSubmitted,
  SubagentStopped,
  ToolCalled,
} from '../../events/types.ts';
import { estimateTokens, type Fact, headOf, keepNewest } from '../contract.ts';
import { aboutOf, fileOf, isOwnTool } from '../tools-text.ts';

export interface Message {
  id: string;
  seq: number;
  role: 'user' | 'assistant' | 'system';
  /** Its start; the whole text is in the journal, at `seq`. */
  content: string;
  timestamp: number;
  tokenCount: number;
  metadata: { toolCalls: string[]; fileReferences: string[] };
  /** Byte offset in the transcript, where known: what a rewind cuts at. */
  pos: number | null;
}

export interface Compaction {
  seq: number;
  at: number;
  trigger: string;
  summary: string;
}

export interface Subagent {
  agent: string;
  toolCalls: number;
  /** What it reported, when the client told. */
  result: string;
  seq: number;
}

export interface Conversation {
  /** Of the live branch, oldest first; the newest are kept. */
  messages: Message[];
  messageCount: number;
  /** Messages on branches that a rewind abandoned. */
  abandonedCount: number;
  /** The newest compaction's, shortened. */
  summary: string | null;
  compactions: Compaction[];
  compactionCount: number;
  subagents: Subagent[];
}

const MESSAGES_MAX = 300;
const PROMPT_CHARS = 4000;
const TEXT_CHARS = 1200;
const SUMMARY_CHARS = 8000;
const COMPACTIONS_MAX = 10;
const SUBAGENTS_MAX = 100;
const REFERENCES_MAX = 50;

export const CONVERSATION_TYPES = [
  'prompt.submitted',
  'message.recorded',
  'tool.called',
  'compaction.finished',
  'subagent.stopped',
] as const;

export const emptyConversation = (): Conversation => ({
  messages: [],
  messageCount: 0,
  abandonedCount: 0,
  summary: null,
  compactions: [],
  compactionCount: 0,
  subagents: [],
});

/** Who said what, in the live branch of the main thread; sub-agents as one line each. */
export function applyConversation(state: Conversation, fact: Fact): void {
  if (fact.agent !== null) subagent(state, fact, fact.agent);
  else if (fact.type === 'prompt.submitted') prompt(state, fact as Fact<PromptSubmitted>);
  else if (fact.type === 'message.recorded') message(state, fact as Fact<MessageRecorded>);
  else if (fact.type === 'tool.called') toolCall(state, fact as Fact<ToolCalled>);
  else if (fact.type === 'compaction.finished') compaction(state, fact as Fact<CompactionFinished>);
}

function push(
  state: Conversation,
  fact: Fact,
  role: Message['role'],
  text: string,
  chars: number,
): void {
  state.messages.push({
    id: fact.id,
    seq: fact.seq,
    role,
    content: headOf(text, chars),
    timestamp: fact.at,
    tokenCount: estimateTokens(text),
    metadata: { toolCalls: [], fileReferences: [] },
    pos: fact.trace?.pos ?? null,
  });
  state.messageCount += 1;
  keepNewest(state.messages, MESSAGES_MAX);
}

function prompt(state: Conversation, fact: Fact<PromptSubmitted>): void {
  const rewoundTo = fact.trace?.rewoundTo;
  if (rewoundTo !== undefined) {
    const live = state.messages.filter(({ pos }) => pos === null || pos <= rewoundTo);
    const abandoned = state.messages.length - live.length;
    state.messages = live;
    state.messageCount -= abandoned;
    state.abandonedCount += abandoned;
  }
  push(state, fact, 'user', fact.data.text, PROMPT_CHARS);
}

function message(state: Conversation, fact: Fact<MessageRecorded>): void {
  if (fact.data.kind === 'thinking') return;
  const role = fact.data.kind === 'command' ? 'system' : fact.data.role;
  push(state, fact, role, fact.data.text, TEXT_CHARS);
}

/** Belongs to what the model said last; a model that says nothing before it calls gets an empty message. */
function toolCall(state: Conversation, fact: Fact<ToolCalled>): void {
  if (isOwnTool(fact.data.name)) return;
  if (state.messages.at(-1)?.role !== 'assistant') push(state, fact, 'assistant', '', TEXT_CHARS);
  const { metadata } = state.messages.at(-1)!;
  const about = headOf(aboutOf(fact.data.input), 120);
  metadata.toolCalls.push(`${fact.data.name} ${about}`.trim());
  keepNewest(metadata.toolCalls, REFERENCES_MAX);
  const file = fileOf(fact.data.input);
  if (file !== undefined && !metadata.fileReferences.includes(file))
    metadata.fileReferences.push(file);
  keepNewest(metadata.fileReferences, REFERENCES_MAX);
}

function compaction(state: Conversation, fact: Fact<CompactionFinished>): void {
  const summary = headOf(fact.data.summary, SUMMARY_CHARS);
  state.summary = summary;
  state.compactions.push({
    seq: fact.seq,
    at: fact.at,
    trigger: fact.data.trigger,
    summary: headOf(summary, 500),
  });
  state.compactionCount += 1;
  keepNewest(state.compactions, COMPACTIONS_MAX);
}

function subagent(state: Conversation, fact: Fact, agent: string): void {
  let own = state.subagents.find((one) => one.agent === agent);
  if (own === undefined) {
    own = { agent, toolCalls: 0, result: '', seq: fact.seq };
    state.subagents.push(own);
    keepNewest(state.subagents, SUBAGENTS_MAX);
  }
  if (fact.type === 'tool.called') own.toolCalls += 1;
  const said =
    fact.type === 'subagent.stopped'
      ? (fact.data as SubagentStopped).lastMessage
      : fact.type === 'message.recorded' && (fact.data as MessageRecorded).kind === 'text'
        ? (fact.data as MessageRecorded).text
        : undefined;
  if (said === undefined) return;
  own.result = headOf(said, TEXT_CHARS);
  own.seq = fact.seq;
}
