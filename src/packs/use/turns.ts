import type { ToolCalled } from '../../events/types.ts';
import type { Project } from '../../project/open.ts';
import { readEvents } from '../../projections/events.ts';
import { isChange } from '../../projections/folds/files.ts';
import { recentSessions } from '../../projections/folds/sessions.ts';
import { fileOf } from '../../projections/tools-text.ts';
import { isAway, namesIn } from '../sources/file-facts.ts';

/** From a prompt to the next one of its session. */
export interface Turn {
  session: string | null;
  /** The first call of each kind, by the file's name from the project's folder on. */
  read: Map<string, number>;
  edited: Map<string, number>;
}

/** Older work says little about today's, and a suggestion must not take minutes. */
const EVENTS_MAX = 200_000;

/** Where the newest sessions begin, of which at most so many events are read. */
export function firstOfRecent(project: Project, upto?: number, most = EVENTS_MAX): number {
  const cut = upto === undefined ? {} : { upto };
  const { state, seq } = project.states.at(recentSessions, null, cut);
  const firsts = Object.values(state.sessions).map(({ firstSeq }) => firstSeq);
  return Math.max(1, seq - most, Math.min(seq, ...firsts));
}

/** What the newest sessions opened, oldest first; turns that opened nothing are left out. */
export function turnsOf(project: Project, upto?: number): Turn[] {
  const from = firstOfRecent(project, upto);
  const nameOf = namesIn(project.dir);
  const turns: Turn[] = [];
  const open = new Map<string | null, Turn>();
  const types = ['prompt.submitted', 'tool.called'];
  for (const event of readEvents(project.reader, project.ports.xxh64, { from, to: upto, types })) {
    const { session } = event;
    if (event.type === 'prompt.submitted') {
      open.delete(session);
      continue;
    }
    const { name: tool, input } = event.data as ToolCalled;
    const isEdit = isChange(tool);
    const file = isEdit || tool === 'Read' ? fileOf(input) : undefined;
    const name = file === undefined ? '' : nameOf(file);
    if (name === '' || isAway(name)) continue;
    let turn = open.get(session);
    if (turn === undefined) {
      turn = { session, read: new Map(), edited: new Map() };
      open.set(session, turn);
      turns.push(turn);
    }
    const opened = isEdit ? turn.edited : turn.read;
    if (!opened.has(name)) opened.set(name, event.seq);
  }
  return turns;
}
