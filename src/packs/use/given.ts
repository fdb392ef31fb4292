import type { EventType, PackGiven } from '../../events/types.ts';
import type { Project } from '../../project/open.ts';
import type { Fact } from '../../projections/contract.ts';
import { readEvents } from '../../projections/events.ts';
import type { PackSnapshotRecord } from '../../projections/folds/packs.ts';
import { packsAt } from '../of-project.ts';
import { firstOfRecent } from './turns.ts';

/** A time when a session was given a pack, between what its main thread did before and after. */
export interface Given {
  session: string;
  data: PackGiven;
  record: PackSnapshotRecord;
  before: Fact[];
  /** Until the same packs are given again, or a compaction takes them out of the context. */
  after: Fact[];
}

const TYPES: readonly EventType[] = [
  'pack.given',
  'prompt.submitted',
  'message.recorded',
  'tool.called',
  'tool.succeeded',
  'tool.failed',
  'usage.sampled',
  'compaction.finished',
];

/** In the newest sessions, oldest first; without those whose snapshot was removed. @param name of a pack that was in it */
export function givenIn(project: Project, name?: string): Given[] {
  const { snapshots } = packsAt(project);
  if (Object.keys(snapshots).length === 0) return [];
  const recordOf = ({ data }: { data: unknown }): PackSnapshotRecord | undefined => {
    const record = snapshots[(data as PackGiven).snapshot];
    return name === undefined || record?.packs.includes(name) === true ? record : undefined;
  };
  const { reader, ports, states } = project;
  const first = Math.min(...Object.values(snapshots).map(({ seq }) => seq));
  const query = { from: Math.max(first, firstOfRecent(project)), types: ['pack.given'] };
  const sessions = new Set<string>();
  for (const event of readEvents(reader, ports.xxh64, query))
    if (event.session !== null && recordOf(event) !== undefined) sessions.add(event.session);
  return [...sessions].flatMap((session) => {
    const placed = states.facts(session, TYPES);
    const facts = placed.map(({ fact }) => fact).filter(({ agent }) => agent === null);
    return facts.flatMap((fact, at): Given[] => {
      const record = fact.type === 'pack.given' ? recordOf(fact) : undefined;
      if (record === undefined) return [];
      const isOver = (one: Fact): boolean =>
        one.type === 'compaction.finished' ||
        (one.type === 'pack.given' && recordOf(one)?.packs.join() === record.packs.join());
      const rest = facts.slice(at + 1);
      const end = rest.findIndex(isOver);
      const after = end === -1 ? rest : rest.slice(0, end);
      return [{ session, data: fact.data as PackGiven, record, before: facts.slice(0, at), after }];
    });
  });
}
