import type { Project } from '../project/open.ts';
import { choose } from './choose.ts';
import type { Item, Kind } from './item.ts';
import { momentOf } from './moment.ts';

/** What must survive a compaction word for word; files and names come back by themselves, or are given back after it. */
const STEERED: ReadonlySet<Kind> = new Set([
  'rule',
  'correction',
  'task',
  'error',
  'decision',
  'prompt',
  'finding',
  'command',
]);

/** Of the whole text: what is longer takes from what the summary is to say besides. */
export const STEERING_CHARS = 2000;

/** Some clients show it to the model as well, once the compaction is done. */
const ABOUT =
  'What must outlive the compaction: for the summary to carry word for word, as far as it still holds.';

/**
 * What the client adds to a compaction's instructions: the items that are worth most, without the names that they are
 * given with after it. Empty when there is nothing to keep.
 */
export function steeringText(project: Project, session: string): { text: string; items: Item[] } {
  const moment = momentOf(project, { source: 'compact', session });
  if (moment === undefined) return { text: '', items: [] };
  const items = moment.considered.flatMap(({ item }) => {
    const { extras: _, ...bare } = item;
    return STEERED.has(item.kind) ? [bare] : [];
  });
  return choose(items, STEERING_CHARS, { ...moment.heading, about: ABOUT });
}
