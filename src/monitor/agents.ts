import { hasShape } from '../events/shape.ts';
import type { UsageSampled } from '../events/types.ts';
import type { Project } from '../project/open.ts';
import { readEvents } from '../projections/events.ts';
import { lifted, windowOf } from './window.ts';

export interface AgentContext {
  /** Null for the main thread. */
  agent: string | null;
  messages: number;
  tokens: number;
  window: number;
  percent: number;
  peak: number;
}

const AGENTS_MAX = 200;

/** How full the contexts of a session's agents are, the main thread first. */
export function agentsOf({ reader, ports }: Project, session: string): AgentContext[] {
  const all = new Map<
    string | null,
    { ids: Set<string>; tokens: number; most: number; model: string }
  >();
  for (const event of readEvents(reader, ports.xxh64, { types: ['usage.sampled'], session })) {
    if (!hasShape(event)) continue;
    const data = event.data as UsageSampled;
    const tokens = data.inputTokens + data.cacheCreationTokens + data.cacheReadTokens;
    if (!(tokens > 0)) continue;
    const known = all.get(event.agent) ?? { ids: new Set(), tokens, most: 0, model: '' };
    known.ids.add(data.messageId);
    Object.assign(known, { tokens, most: Math.max(known.most, tokens), model: data.model ?? '' });
    all.set(event.agent, known);
  }
  const rows = Array.from(all, ([agent, { ids, tokens, most, model }]) => {
    const { window } = lifted(windowOf(model), most);
    const percent = (part: number) => Math.round((100 * part) / window);
    return {
      agent,
      messages: ids.size,
      tokens,
      window,
      percent: percent(tokens),
      peak: percent(most),
    };
  });
  return rows
    .sort((a, b) => Number(a.agent !== null) - Number(b.agent !== null))
    .slice(0, AGENTS_MAX);
}
