/**
 * What the scripted model says, and what it saw: shapes.
 */

/** Stands for the project's folder in any string of a scenario: `${PROJECT}/src/todo.js`. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: it is the placeholder itself
export const PROJECT = '${PROJECT}';

/** One answer of the model: text, then tool calls (several in one step are parallel calls). */
export interface Step {
  text?: string;
  tools?: { name: string; input: Record<string, unknown> }[];
  /** Tokens that the client believes its context holds from here on; 1000 unless said. */
  inputTokens?: number;
}

export interface Scenario {
  /** The main loop: each of its requests takes one step. */
  steps: Step[];
  /**
   * Sub-agents: a text that stands in the `prompt` of an `Agent` call, and the steps of the
   * sub-agent that this call starts.
   */
  agents?: Record<string, Step[]>;
  /** What the model answers to each demand for a compaction summary, in turn. */
  summaries?: string[];
}

export type Block =
  | { type: 'text'; text: string }
  | { type: 'tool_use'; id: string; name: string; input: Record<string, unknown> }
  | { type: 'tool_result'; tool_use_id: string; is_error?: boolean; content?: string | Block[] };

export interface Message {
  role: 'user' | 'assistant' | 'system';
  content: string | Block[];
}

/** One request that reached the scripted model, with its answer. */
export interface ModelRequest {
  /** 0 for the first request of a run. */
  index: number;
  /** Arrival, in milliseconds since 1970. */
  at: number;
  /** `side`: titles and probes of the client itself, outside every conversation. */
  kind: 'main' | 'agent' | 'compaction' | 'side';
  /** Of kind `agent`: the marker of the sub-agent's script; null when none fits. */
  agent?: string | null;
  body: {
    model: string;
    messages: Message[];
    system?: string | Block[];
    tools?: { name: string }[];
    metadata?: { user_id?: string };
  };
  answer: { id: string; content: Block[] };
}

/** Puts the project's path in the place of its placeholder. */
export function forProject(scenario: Scenario, project: string): Scenario {
  const quoted = JSON.stringify(project).slice(1, -1);
  return JSON.parse(JSON.stringify(scenario).replaceAll(PROJECT, () => quoted)) as Scenario;
}
