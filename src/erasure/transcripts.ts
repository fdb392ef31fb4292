import { subagentTranscripts, type TranscriptSource } from '../capture/transcripts.ts';
import { decodeEvent, headOf } from '../events/decode.ts';
import { hasShape } from '../events/shape.ts';
import type { JournalEvent } from '../events/types.ts';
import type { Entry } from '../journal/format/frame.ts';
import { unlessRefused } from '../platform/errors.ts';
import type { Project } from '../project/open.ts';
import { readEvents } from '../projections/events.ts';
import { cursors } from '../projections/folds/cursors.ts';

/** Types that name a transcript. */
const TELLING: readonly string[] = ['session.started', 'transcript.read', 'subagent.stopped'];

/** The transcript that an event names; undefined when it names none. */
function transcriptOf(event: JournalEvent): TranscriptSource | undefined {
  const { type, session, data } = event;
  if (session === null || !TELLING.includes(type) || !hasShape(event)) return undefined;
  const { path: read, transcriptPath: path = read } = data as {
    path?: string;
    transcriptPath?: string;
  };
  return path === undefined ? undefined : { path, session, agent: event.agent };
}

/**
 * Every existing transcript of every known session, also sub-agents' that no event names yet. Main threads come
 * first.
 */
export function transcriptSources({ ports, reader, states }: Project): TranscriptSource[] {
  const sources = new Map<string, TranscriptSource>();
  const add = (one: TranscriptSource) => {
    sources.set(JSON.stringify([one.session, one.agent, one.path]), one);
  };
  for (const event of readEvents(reader, ports.xxh64, { types: TELLING })) {
    const source = transcriptOf(event);
    if (source !== undefined) add(source);
  }
  // The cursors of dropped sessions are still known.
  for (const [session, { threads }] of states.bySession(cursors))
    for (const [thread, { path }] of Object.entries(threads))
      add({ path, session, agent: thread === '' ? null : thread });
  for (const { path, session, agent } of [...sources.values()]) {
    if (agent === null) subagentTranscripts(ports.fs, path, session).forEach(add);
  }
  return [...sources.values()]
    .filter(({ path }) => mayBeThere(ports.fs, path))
    .sort((a, b) => Number(a.agent !== null) - Number(b.agent !== null));
}

/** Also if it cannot be checked: then it is reported as unreadable. */
const mayBeThere = (fs: Project['ports']['fs'], path: string): boolean =>
  unlessRefused(() => fs.statIfThere(path) !== undefined, true);

/** The client's own record of what is erased: ben10 names these files and does not change them. */
export class Transcripts {
  readonly #paths = new Map<string, Set<string>>();
  readonly #sessions = new Set<string>();

  /** Call for every event. */
  saw(entry: Entry): void {
    const event = decodeEvent(entry);
    const source = event && transcriptOf(event);
    if (source === undefined) return;
    const known = this.#paths.get(source.session) ?? new Set();
    this.#paths.set(source.session, known.add(source.path));
  }

  /** Call for every event that has to go. */
  wants(entry: Entry): void {
    const session = headOf(entry)?.session;
    if (session) this.#sessions.add(session);
  }

  paths(): string[] {
    const wanted = [...this.#sessions].flatMap((session) => [...(this.#paths.get(session) ?? [])]);
    return [...new Set(wanted)].sort();
  }
}
