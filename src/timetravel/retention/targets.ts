import { decodeEvent } from '../../events/decode.ts';
import type { FactEnriched } from '../../events/types.ts';
import { supersededIn } from '../../journal/erase/events.ts';
import { FRAME_KIND } from '../../journal/format/format.ts';
import type { Entry } from '../../journal/format/frame.ts';
import type { Project } from '../../project/open.ts';
import { isKept } from '../../projections/based.ts';
import { type DropPlan, everyEntry } from './plan.ts';

/** Which events a drop takes, all below 2^53, rising. */
export interface DropTargets {
  /** How many go up to the cut. */
  events: number;
  /** Up to the cut: those that stay. */
  kept: number[];
  /** Behind the cut: what stands for events that go, and the states that stood for those of an earlier drop. */
  also: number[];
}

/** @param open ids of facts that are not in any state yet: they stay, with all that is known of them */
export function dropTargets(
  project: Project,
  { upto }: DropPlan,
  open: ReadonlySet<string>,
): DropTargets {
  const found: DropTargets = { events: 0, kept: [], also: [] };
  for (const entry of everyEntry(project)) {
    if (entry.kind !== FRAME_KIND.event) continue;
    if (entry.seq > upto) {
      if (goesAsWell(entry, upto)) found.also.push(entry.seq);
    } else if (stays(entry, open)) found.kept.push(entry.seq);
    else found.events += 1;
  }
  return found;
}

/** What stands for an erased event stays where that would. */
function stays(entry: Entry, open: ReadonlySet<string>): boolean {
  const event = decodeEvent(entry);
  if (event === undefined) return false;
  if (open.has(event.id) || isKept(event.type)) return true;
  if (event.type === 'fact.enriched') return open.has((event.data as FactEnriched).of);
  return isKept(supersededIn(entry)?.event.type ?? '');
}

function goesAsWell(entry: Entry, upto: number): boolean {
  const superseded = supersededIn(entry);
  if (superseded !== undefined) return superseded.seq <= upto && !isKept(superseded.event.type);
  return decodeEvent(entry)?.type === 'journal.based';
}
