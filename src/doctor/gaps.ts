import path from 'node:path';
import { reconcile } from '../capture/reconcile.ts';
import { Recorder } from '../capture/recorder.ts';
import { compileRedaction } from '../capture/redaction/index.ts';
import type { NewEvent } from '../journal/inbox.ts';
import { readManifest } from '../journal/manifest.ts';
import type { Appended } from '../journal/writer.ts';
import { errno } from '../platform/errors.ts';
import { readdirIfThere } from '../platform/files.ts';
import type { Project } from '../project/open.ts';
import { cursors } from '../projections/folds/cursors.ts';
import { type SessionRecord, sessions } from '../projections/folds/sessions.ts';
import { type Finding, ok, warn } from './finding.ts';

/** Sessions that are compared with their transcripts: the last active ones. */
export const SESSIONS_COMPARED = 5;
/** The turn that is going on is read when it ends. */
const STILL_GOING_MS = 10 * 60_000;
/** What one comparison may take. */
const COMPARE_MS = 1000;

/** Reconciliation with it only counts: it keeps nothing. */
class CountingRecorder extends Recorder {
  override event = (): NewEvent => NOTHING;
  override enrichment = (): NewEvent => NOTHING;
  override append = (): Appended => ({ seqs: [], written: 0, spooled: false });
}

const NOTHING: NewEvent = {
  id: Buffer.alloc(16),
  typeTag: 0,
  payload: Buffer.alloc(0),
  durability: 'process',
};

/** Facts that stand in a transcript and not in the journal, of the sessions that were active last. */
export function checkGaps(project: Project): Finding[] {
  const now = project.ports.clock.now();
  const known = Object.values(project.states.at(sessions, null).state.sessions);
  const last = known.slice(-SESSIONS_COMPARED).filter((one) => one.transcriptPath !== null);
  const findings = last.flatMap((session) => {
    const path = session.transcriptPath!;
    const behind = factsBehind(project, session.session, path);
    const age = now - (modified(project, path) ?? now);
    return behind === 0 || age < STILL_GOING_MS ? [] : [gap(session, behind, path)];
  });
  if (findings.length > 0) return findings;
  const compared =
    last.length === 1 ? 'the last session is' : `the last ${last.length} sessions are`;
  return last.length === 0 ? [] : [ok('gaps', `${compared} in the journal as in the transcripts`)];
}

function gap({ session }: SessionRecord, behind: number, path: string): Finding {
  const facts = behind === 1 ? 'one fact is' : `${behind.toLocaleString('en-US')} facts are`;
  const what = `${facts} in the transcript of session ${session.slice(0, 8)} and not in the journal`;
  return warn('gaps', what, `Run: ben10 import ${path}`);
}

/** How many facts a reconciliation would add. */
function factsBehind(project: Project, session: string, transcript: string): number {
  const { ports, reader, root, writer } = project;
  const redaction = compileRedaction().options;
  const recorder = new CountingRecorder({ ports, root, writer, redaction, client: 'claude-code' });
  const result = reconcile({
    ports,
    reader,
    recorder,
    cursors: project.states.at(cursors, session).state,
    session,
    agent: null,
    path: transcript,
    source: 'transcript',
    deadline: ports.clock.now() + COMPARE_MS,
  });
  return result?.added ?? 0;
}

/**
 * Transcripts of sessions that the journal has never heard of, in the client's folder for this project.
 * @param clientDir the client's own folder (`CLAUDE_CONFIG_DIR`, else `~/.claude`)
 */
export function checkUnknownSessions(project: Project, clientDir: string): Finding[] {
  const { ports, layout, dir } = project;
  const folder = path.join(clientDir, 'projects', dir.replace(/[^A-Za-z0-9]/g, '-'));
  const known = project.states.at(sessions, null).state.sessions;
  const unknown = readdirIfThere(ports.fs, folder)
    .filter((name) => name.endsWith('.jsonl') && !Object.hasOwn(known, name.slice(0, -6)))
    .map((name) => ({ name, at: modified(project, path.join(folder, name)) ?? 0 }));
  if (unknown.length === 0) return [];
  const since = readManifest(ports, layout)?.createdAt ?? Number.POSITIVE_INFINITY;
  const missed = unknown.filter(({ at }) => at > since);
  const mend = `Run: ben10 import ${folder}`;
  if (missed.length > 0) {
    const them = missed.length === 1 ? 'one session was' : `${missed.length} sessions were`;
    return [warn('gaps', `${them} not recorded, though ben10 was set up`, mend)];
  }
  const them = unknown.length === 1 ? 'one session is' : `${unknown.length} sessions are`;
  const what = `${them} from before ben10, and can be taken in: ben10 import ${folder}`;
  return [ok('before ben10', what)];
}

/** Milliseconds since the epoch; undefined when it is gone. */
function modified({ ports }: Project, file: string): number | undefined {
  try {
    return ports.fs.stat(file).mtimeMs;
  } catch (error) {
    if (errno(error) === undefined) throw error;
    return undefined;
  }
}
