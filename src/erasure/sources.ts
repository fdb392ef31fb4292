import { subagentTranscripts, type TranscriptSource } from '../capture/transcripts.ts';
import { hasShape } from '../events/shape.ts';
import type { JournalEvent } from '../events/types.ts';
import { errno } from '../platform/errors.ts';
import type { Project } from '../project/open.ts';
import { readEvents } from '../projections/events.ts';
import { cursors } from '../projections/folds/cursors.ts';

/** Types that say where the client keeps a transcript. */
export const TELLING: readonly string[] = [
  'session.started',
  'transcript.read',
  'subagent.stopped',
];

/** The transcript that an event names; undefined when it names none. */
export function transcriptOf(event: JournalEvent): TranscriptSource | undefined {
  const { type, session, data } = event;
  if (session === null || !TELLING.includes(type) || !hasShape(event)) return undefined;
  const { path: read, transcriptPath: path = read } = data as {
    path?: string;
    transcriptPath?: string;
  };
  return path === undefined ? undefined : { path, session, agent: event.agent };
}

/**
 * Every transcript of every session that the journal knows and that is still there, those of sub-agents included, also of
 * those that no event names yet. Main threads come before their sub-agents.
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
  // Of sessions whose events were dropped, how far each was read is still known.
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

/** Also where nobody may look: then it is said that it cannot be read. */
function mayBeThere(fs: Project['ports']['fs'], path: string): boolean {
  try {
    return fs.statIfThere(path) !== undefined;
  } catch (error) {
    if (errno(error) === undefined) throw error;
    return true;
  }
}
