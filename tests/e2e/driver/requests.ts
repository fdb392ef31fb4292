/**
 * What passed between the client and the model, read from the model's side.
 */
import type { Block, Message, ModelRequest } from './scenario.ts';

export interface ToolUse {
  /** The marker of the sub-agent that called, or null for the main loop. */
  agent: string | null;
  id: string;
  name: string;
  input: Record<string, unknown>;
}

export interface ToolResult {
  agent: string | null;
  toolUseId: string;
  isError: boolean;
  text: string;
}

/** Text blocks that open like this are the client's, said in the user's place. */
const MACHINE_TEXT =
  /^\s*(<(system-reminder|task-notification|local-command|command-|tools-used)|This session is being continued)/;

/** A prompt that came while the model was at work stands in a reminder of this form. */
const QUEUED_PROMPT =
  /The user sent a new message while you were working:\n([\s\S]*?)\n\nThis is how Claude Code/g;

/** The client adds reminders to the end of a tool's result. */
const REMINDER = /\n*<system-reminder>[\s\S]*?<\/system-reminder>\n*/g;

/** The session's id, which the client sends in the request's metadata, or null. */
export function sessionOf(request: ModelRequest): string | null {
  const user = request.body.metadata?.user_id;
  if (user === undefined || !user.startsWith('{')) return null;
  return (JSON.parse(user) as { session_id?: string }).session_id ?? null;
}

/** Every tool call that the model made, in order. */
export function toolUses(requests: ModelRequest[]): ToolUse[] {
  return requests.flatMap((request) =>
    request.answer.content.flatMap((block) => {
      if (block.type !== 'tool_use') return [];
      return [{ agent: agentOf(request), id: block.id, name: block.name, input: block.input }];
    }),
  );
}

/** Every tool result that came back to the model, once, in order of first sight. */
export function toolResults(requests: ModelRequest[]): ToolResult[] {
  const seen = new Map<string, ToolResult>();
  for (const request of requests) {
    for (const block of request.body.messages.flatMap(blocksOf)) {
      if (block.type !== 'tool_result' || seen.has(block.tool_use_id)) continue;
      seen.set(block.tool_use_id, {
        agent: agentOf(request),
        toolUseId: block.tool_use_id,
        isError: block.is_error === true,
        text: textOf(block.content).replace(REMINDER, ''),
      });
    }
  }
  return [...seen.values()];
}

/**
 * The user's prompts, as the main loop's requests brought them: what is new since the model's
 * last answer, queued prompts included, without what the client says in the user's place.
 * A custom slash command stands here as the text it expands to.
 */
export function userPrompts(requests: ModelRequest[]): string[] {
  return requests
    .filter(({ kind }) => kind === 'main')
    .flatMap(newMessages)
    .flatMap(promptsIn);
}

/** All that a request tells the model outside the system prompt, as one string. */
export function wholeText(request: ModelRequest): string {
  return request.body.messages.map(({ content }) => textOf(content)).join('\n');
}

/** The messages after the last answer of the model. */
function newMessages({ body: { messages } }: ModelRequest): Message[] {
  const last = messages.map(({ role }) => role).lastIndexOf('assistant');
  return messages.slice(last + 1);
}

function promptsIn(message: Message): string[] {
  const queued = [...textOf(message.content).matchAll(QUEUED_PROMPT)].map(([, text]) => text ?? '');
  const blocks = blocksOf(message);
  // Beside a tool's result there is only the client's text ("Tool loaded.").
  if (blocks.some(({ type }) => type === 'tool_result')) return queued;
  const texts = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return [...texts.filter((text) => !MACHINE_TEXT.test(text)), ...queued];
}

const agentOf = (request: ModelRequest): string | null => request.agent ?? null;

function blocksOf({ content }: Message): Block[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function textOf(content: string | Block[] | undefined): string {
  if (content === undefined || typeof content === 'string') return content ?? '';
  const texts = content.map((block) => {
    if (block.type === 'text') return block.text;
    return block.type === 'tool_result' ? textOf(block.content) : '';
  });
  return texts.join('\n');
}
