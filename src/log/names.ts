import { headOf, lazyEvent } from '../events/decode.ts';
import { journalRange } from '../journal/read/range.ts';
import { oneRoom } from '../journal/read/room.ts';
import type { Project } from '../project/open.ts';

export interface Named {
  name: string;
  /** Of the newest event that names it, milliseconds since the epoch. */
  at: number | null;
}

export type Names = Record<'sessions' | 'saves' | 'snapshots' | 'branches', Named[]>;

const READ_AT_ONCE = 500;

/** Which events name what, and in which field. */
const NAMING = new Map<string, { kind: keyof Names; field: string }>([
  ['context.saved', { kind: 'saves', field: 'name' }],
  ['snapshot.created', { kind: 'snapshots', field: 'snapshot' }],
  ['prompt.submitted', { kind: 'branches', field: 'branch' }],
]);

/**
 * The sessions, saves, snapshots and branches that the newest events name, the newest first. For a shell that waits: it reads backwards, in a
 * long journal not to the start.
 * @param isEnough asked after each step
 */
export function newestNames(
  { reader, ports }: Pick<Project, 'reader' | 'ports'>,
  isEnough: () => boolean,
): Names {
  const found = {
    sessions: new Map<string, number | null>(),
    saves: new Map<string, number | null>(),
    snapshots: new Map<string, number | null>(),
    branches: new Map<string, number | null>(),
  };
  let end = journalRange(ports, reader).last;
  do {
    const start = Math.max(1, end - READ_AT_ONCE + 1);
    const part = [...reader.entries(start, end, oneRoom())];
    for (const { entry } of part.reverse()) {
      const head = entry && headOf(entry);
      if (entry === undefined || head === undefined) continue;
      const note = (kind: keyof typeof found, name: unknown) => {
        if (typeof name === 'string' && !found[kind].has(name)) found[kind].set(name, head.at);
      };
      note('sessions', head.session);
      const names = NAMING.get(head.type);
      if (names === undefined) continue;
      const data = (lazyEvent(entry, head).data ?? {}) as Record<string, unknown>;
      note(names.kind, data[names.field]);
    }
    end = start - 1;
  } while (end > 0 && !isEnough());
  const listed = (kind: keyof typeof found) =>
    Array.from(found[kind], ([name, at]) => ({ name, at }));
  return {
    sessions: listed('sessions'),
    saves: listed('saves'),
    snapshots: listed('snapshots'),
    branches: listed('branches'),
  };
}
