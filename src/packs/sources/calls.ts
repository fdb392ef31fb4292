import type { EventType, ToolCalled } from '../../events/types.ts';
import type { Project } from '../../project/open.ts';
import type { Fact } from '../../projections/contract.ts';
import type { Cut } from '../../projections/gather.ts';
import type { Place } from '../../projections/order.ts';
import { historyOfAll } from '../../timetravel/history.ts';

/** A part of the journal; all of it by default. */
export interface Of {
  session?: string | undefined;
  cut?: Cut | undefined;
}

export interface Step {
  fact: Fact;
  place: Place;
  call?: ToolCalled;
}

/**
 * The ends of calls, and other facts of the given types, in the order in which they happened. A fork repeats the calls of its
 * session: each counts once.
 */
export function* stepsOf(
  project: Project,
  of: Of,
  tools: ReadonlySet<string>,
  types: readonly EventType[],
): Generator<Step> {
  const calls = new Map<string, ToolCalled>();
  const seen = new Set<string>();
  const all = historyOfAll(project, ['tool.called', ...types], of, ({ data }) => {
    const { name } = data as Partial<ToolCalled>;
    return name === undefined || tools.has(name);
  });
  for (const { fact, place } of all) {
    const { toolUseId } = fact.data as Partial<ToolCalled>;
    const key = `${fact.session} ${toolUseId}`;
    if (fact.type === 'tool.called') calls.set(key, fact.data as ToolCalled);
    else if (toolUseId === undefined) yield { fact, place };
    else {
      const call = calls.get(key);
      calls.delete(key);
      const isNew = seen.size < seen.add(`${toolUseId} ${fact.at}`).size;
      if (call !== undefined && isNew) yield { fact, place, call };
    }
  }
}
