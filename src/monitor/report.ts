import { hasShape } from '../events/shape.ts';
import type { CompactionFinished, ToolCalled } from '../events/types.ts';
import type { Project } from '../project/open.ts';
import { readEvents } from '../projections/events.ts';
import { handoffs } from '../projections/folds/handoffs.ts';
import { fileOf, isObject, stringOf } from '../projections/tools-text.ts';

/** What was done again within the first calls behind a new context. */
export interface Redone {
  /** Compactions or resumed handoffs. */
  times: number;
  /** Files read again that were read before, and commands run again. */
  reads: number;
  commands: number;
}

export interface MonitorReport {
  /** Checkpoints by level, and by what asked for them. */
  levels: Record<string, number>;
  triggers: Record<string, number>;
  handoffs: number;
  resumed: number;
  afterCompactions: Redone;
  afterHandoffs: Redone;
}

/** Calls behind a new context that are looked at. */
const CALLS = 30;
const KEPT = 5000;

interface Thread {
  known: Set<string>;
  before: Set<string>;
  left: number;
  into: Redone | undefined;
}

/** Checkpoints and what was redone after them, beside the same after compactions. @param since milliseconds since the epoch */
export function reportOf(project: Project, since = 0): MonitorReport {
  const { checkpoints } = project.states.at(handoffs, null).state;
  const all = Object.values(checkpoints).filter(({ at }) => at >= since);
  const made = all.flatMap(({ handoff }) => handoff ?? []);
  return {
    levels: countBy(all.map(({ level }) => level)),
    triggers: countBy(all.map(({ trigger }) => trigger)),
    handoffs: made.length,
    resumed: made.filter(({ resumed }) => resumed.length > 0).length,
    ...redoneIn(project, since, new Map(made.flatMap((one) => fromOf(one, all)))),
  };
}

/** The session that a resuming one goes on from. */
function fromOf(
  handoff: { resumed: { session: string }[] },
  all: readonly { handoff: unknown; session: string | null }[],
): [string, string][] {
  const from = all.find((one) => one.handoff === handoff)?.session ?? null;
  return from === null ? [] : handoff.resumed.map(({ session }) => [session, from]);
}

function countBy(names: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries(counts);
}

function redoneIn({ reader, ports }: Project, since: number, from: ReadonlyMap<string, string>) {
  const afterCompactions: Redone = { times: 0, reads: 0, commands: 0 };
  const afterHandoffs: Redone = { times: 0, reads: 0, commands: 0 };
  const threads = new Map<string, Thread>();
  const threadOf = (session: string): Thread => {
    const thread = threads.get(session) ?? {
      known: new Set(),
      before: new Set(),
      left: 0,
      into: undefined,
    };
    threads.set(session, thread);
    return thread;
  };
  const begin = (thread: Thread, before: Set<string>, into: Redone) => {
    into.times += 1;
    Object.assign(thread, { before: new Set(before), left: CALLS, into });
  };
  const types = ['tool.called', 'compaction.finished', 'handoff.resumed'];
  let compacted = '';
  for (const event of readEvents(reader, ports.xxh64, { types })) {
    const { session, agent, type } = event;
    if (session === null || agent !== null || !hasShape(event) || (event.at ?? 0) < since) continue;
    const thread = threadOf(session);
    if (type === 'compaction.finished') {
      // Hook and transcript both tell of it.
      const { preTokens } = event.data as CompactionFinished;
      const name = `${session} ${preTokens ?? Math.round((event.at ?? 0) / 60_000)}`;
      if (name !== compacted) begin(thread, thread.known, afterCompactions);
      compacted = name;
    } else if (type === 'handoff.resumed')
      begin(thread, threadOf(from.get(session) ?? '').known, afterHandoffs);
    else called(thread, event.data as ToolCalled);
  }
  return { afterCompactions, afterHandoffs };
}

function called(thread: Thread, { name, input }: ToolCalled): void {
  const command = isObject(input) ? stringOf(input.command) : undefined;
  const file = name === 'Read' ? fileOf(input) : undefined;
  const what = file === undefined ? command && `$ ${command}` : `read ${file}`;
  if (what === undefined || what === '') return;
  if (thread.left > 0 && thread.into !== undefined && thread.before.delete(what))
    thread.into[file === undefined ? 'commands' : 'reads'] += 1;
  thread.left -= 1;
  if (thread.known.size < KEPT) thread.known.add(what);
}
