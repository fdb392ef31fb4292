import { hasShape } from '../events/shape.ts';
import type { UsageSampled } from '../events/types.ts';
import type { Project } from '../project/open.ts';
import { readEvents } from '../projections/events.ts';
import { windowBy } from './window.ts';

/** How full the contexts of a session's agents are, the main thread first, whose name is null. */
export function agentsOf({ reader, ports }: Project, session: string) {
  const all = new Map<string | null, Map<string, { tokens: number; model?: string | undefined }>>();
  for (const event of readEvents(reader, ports.xxh64, { types: ['usage.sampled'], session })) {
    if (!hasShape(event)) continue;
    const data = event.data as UsageSampled;
    const tokens = data.inputTokens + data.cacheCreationTokens + data.cacheReadTokens;
    if (!(tokens > 0)) continue;
    const calls = all.get(event.agent) ?? new Map();
    all.set(event.agent, calls.set(data.messageId, { tokens, model: data.model }));
  }
  const rows = Array.from(all, ([agent, calls]) => {
    const held = [...calls.values()];
    const { tokens, model } = held.at(-1)!;
    const most = held.reduce((max, one) => Math.max(max, one.tokens), 0);
    const { window } = windowBy({ model }, most);
    const [percent, peak] = [tokens, most].map((part) => Math.round((100 * part) / window));
    return { agent, messages: calls.size, tokens, window, percent: percent!, peak: peak! };
  });
  return rows.sort((a, b) => Number(a.agent !== null) - Number(b.agent !== null));
}
