import type { Costs, Redone } from '../../monitor/costs.ts';
import { thousands } from '../../monitor/size.ts';
import { plural } from './format.ts';

export const SINCE = { description: '<TIME> Only since a time: 7d, yesterday, 2026-11-21.' };

/** What was redone behind new contexts, one way beside the other. */
export function costLines({ afterCompactions, afterHandoffs }: Costs): string[] {
  return [line('compaction', afterCompactions), line('resumed handoff', afterHandoffs)];
}

function line(name: string, { times, reads, commands, tokens, minutes }: Redone): string {
  const redone = `${plural(reads, 'file')} read again, ${plural(commands, 'command')} run again`;
  const until = `${thousands(tokens)} tokens and ${plural(Math.round(minutes), 'minute')} of work`;
  return `After ${plural(times, name)}: ${redone}; ${until}.`;
}
