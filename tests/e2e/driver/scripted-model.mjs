/**
 * The scripted model: decides which step answers a request and renders the answer.
 *
 * A scenario gives the main loop and every sub-agent a list of steps of their own
 * (scenario.ts has the types). State is one position per list; nothing else.
 */
import { randomBytes } from 'node:crypto';

/** What the model says when a script has run out: a plain end of turn. */
const UNSCRIPTED = { text: 'Nothing more is scripted.' };

/** The summary when the scenario gives none, or no more. */
const SUMMARY = 'The work so far.';

/** Fewer tools than this on a request that is no sub-agent's: a title or a quota probe. */
const MAIN_LOOP_TOOLS_MIN = 4;

/** The client ends its compaction prompt with this demand (seen in 2.1.329). */
const COMPACTION_DEMAND = /summary of the conversation|detailed summary|respond with text only/i;

/** Ids stay unique over the runs of one session, as the API's do. */
const newId = (kind) => `${kind}_01${randomBytes(11).toString('hex')}`;

const textOf = (content) =>
  typeof content === 'string'
    ? content
    : (content ?? []).map((block) => (block.type === 'text' ? block.text : '')).join('\n');

/** The sub-agent whose marker stands in the request's first message, or null. */
function agentOf(body, agents) {
  const first = textOf(body.messages?.find((message) => message.role === 'user')?.content);
  return Object.keys(agents).find((marker) => first.includes(marker)) ?? null;
}

/**
 * Tells who asks: `main`, `agent` (with its marker), `compaction` or `side`.
 * The client marks a sub-agent's requests itself, in the first block of the system prompt.
 */
export function classify(body, agents) {
  const isAgent = textOf(body.system).includes('cc_is_subagent=true');
  if (COMPACTION_DEMAND.test(textOf(body.messages?.at(-1)?.content))) return { kind: 'compaction' };
  if (isAgent) return { kind: 'agent', agent: agentOf(body, agents) };
  if ((body.tools?.length ?? 0) < MAIN_LOOP_TOOLS_MIN) return { kind: 'side' };
  return { kind: 'main' };
}

/** Walks the scripts of one scenario. */
export function createScript(scenario) {
  const agents = scenario.agents ?? {};
  const positions = new Map();
  const take = (key, list = []) => {
    const position = positions.get(key) ?? 0;
    positions.set(key, position + 1);
    return list[position];
  };
  return {
    classify: (body) => classify(body, agents),
    stepFor({ kind, agent }) {
      if (kind === 'main') return take('main', scenario.steps) ?? UNSCRIPTED;
      if (kind === 'agent') return take(`agent ${agent}`, agents[agent]) ?? UNSCRIPTED;
      if (kind === 'side') return { text: '{"title":"Scripted session"}' };
      return { text: `<summary>${take('compaction', scenario.summaries) ?? SUMMARY}</summary>` };
    },
  };
}

/** Renders a step as the API's message object. */
export function toMessage(model, step) {
  const text = step.text ? [{ type: 'text', text: step.text }] : [];
  const tools = (step.tools ?? []).map(({ name, input }) => ({
    type: 'tool_use',
    id: newId('toolu'),
    name,
    input,
  }));
  return {
    id: newId('msg'),
    type: 'message',
    role: 'assistant',
    model,
    content: [...text, ...tools],
    stop_reason: tools.length > 0 ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: step.inputTokens ?? 1000,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 50,
    },
  };
}

/** The server-sent events of a message, in the API's order. */
export function toEvents(message) {
  const blocks = message.content.flatMap((block, index) => {
    const isText = block.type === 'text';
    const opening = isText ? { type: 'text', text: '' } : { ...block, input: {} };
    const delta = isText
      ? { type: 'text_delta', text: block.text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
    return [
      { type: 'content_block_start', index, content_block: opening },
      { type: 'content_block_delta', index, delta },
      { type: 'content_block_stop', index },
    ];
  });
  const { stop_reason, stop_sequence, usage } = message;
  return [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    ...blocks,
    {
      type: 'message_delta',
      delta: { stop_reason, stop_sequence },
      usage: { output_tokens: usage.output_tokens },
    },
    { type: 'message_stop' },
  ];
}
