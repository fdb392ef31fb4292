import path from 'node:path';
import type { NewEvent } from '../journal/append/inbox.ts';
import type { Appended } from '../journal/append/writer.ts';
import { readManifest } from '../journal/format/manifest.ts';
import { unlessRefused } from '../platform/errors.ts';
import { readdirIfThere } from '../platform/files.ts';
import { type Finding, ok, warn } from '../platform/finding.ts';
import { shellWord } from '../platform/shell-word.ts';
import type { Check } from '../project/doors.ts';
import type { Project } from '../project/open.ts';
import { cursors } from '../projections/folds/cursors.ts';
import { sessions } from '../projections/folds/sessions.ts';
import { JournalFacts } from './journal-facts.ts';
import { type Losses, lossesIn, threadOf } from './losses.ts';
import { reconcile } from './reconcile.ts';
import { Recorder } from './recorder.ts';
import { compileRedaction } from './redaction/index.ts';
import { sessionTranscripts, type TranscriptSource } from './transcripts.ts';

/** Sessions compared with their transcripts: the last active ones. */
export const SESSIONS_COMPARED = 5;
/** A running turn is read when it ends. */
const STILL_GOING_MS = 10 * 60_000;
/** Time for one comparison. */
const COMPARE_MS = 1000;
/** Time for all of them, newest first: as long as a person waits for doctor. */
const COMPARE_ALL_MS = 10_000;

/** Makes reconciliation only count. */
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

/** Facts of transcripts that the journal lacks. */
export const gapsCheck: Check = {
  name: 'gaps',
  isInside: true,
  run({ project, env, home }) {
    const clientDir = env.CLAUDE_CONFIG_DIR || path.join(home, '.claude');
    return [...checkGaps(project), ...checkUnknownSessions(project, clientDir)];
  },
};

/**
 * Facts that are in a transcript and not in the journal: of the last active sessions, or of all if the journal is
 * damaged, as far as the time allows.
 */
export function checkGaps(project: Project): Finding[] {
  const { clock } = project.ports;
  const known = Object.values(project.states.at(sessions, null).state.sessions);
  // If an event was lost that a cursor has passed, only comparing every fact finds it.
  const losses = lossesIn(project);
  const facts = losses.isAny ? new JournalFacts(project.reader) : undefined;
  if (isHidden(project)) return [HIDDEN];
  const until = clock.now() + COMPARE_ALL_MS;
  const findings: Finding[] = [];
  let compared = 0;
  const goingOn = new Set<string>();
  for (const { session, transcriptPath } of (facts
    ? known
    : known.slice(-SESSIONS_COMPARED)
  ).reverse()) {
    if (transcriptPath === null) continue;
    if (clock.now() > until) break;
    compared += 1;
    for (const source of sessionTranscripts(project.ports.fs, transcriptPath, session)) {
      const missing = factsMissing(project, source, losses, facts);
      if (missing.facts > 0) findings.push(gap(source, missing));
      if (missing.isGoingOn) goingOn.add(session);
    }
  }
  if (findings.length > 0 || compared === 0) return findings;
  if (goingOn.size === 0)
    return [ok('gaps', `nothing is missing; sessions compared with transcripts: ${compared}`)];
  const later = `turns that may be running, compared when they end: ${goingOn.size}`;
  return [ok('gaps', `nothing is missing as far as transcripts were read; ${later}`)];
}

/** A segment that cannot be read may hold what a transcript has. */
const isHidden = ({ ports, reader }: Project): boolean =>
  reader.segments().some(({ path: file }) => ports.refused?.has(file) === true);

const HIDDEN = warn(
  'gaps',
  'not known before every segment can be read',
  'Make them readable, as shown above, then run: ben10 doctor',
);

function gap(
  { path, session, agent }: TranscriptSource,
  { facts: missing, isGoingOn }: Missing,
): Finding {
  const whose = `${agent === null ? '' : 'a sub-agent of '}session ${session.slice(0, 8)}`;
  const what = `facts of ${whose} that only its transcript has: ${missing.toLocaleString('en-US')}`;
  const running = isGoingOn ? '; some may belong to a running turn' : '';
  return warn('gaps', what + running, `Run: ben10 import ${shellWord(path)}`);
}

interface Missing {
  facts: number;
  /** Missing facts may be of a running turn, and are read when it ends. */
  isGoingOn: boolean;
}

/**
 * Facts that an import would add, without those of a running turn. If it was lost how far the transcript had been
 * read, the two cannot be told apart.
 * @param facts of a damaged journal
 */
function factsMissing(
  project: Project,
  source: TranscriptSource,
  { readSince }: Losses,
  facts: JournalFacts | undefined,
): Missing {
  const now = project.ports.clock.now();
  const isRecent = now - (modified(project, source.path) ?? now) < STILL_GOING_MS;
  const all = factsAdded(project, source, facts);
  const isKnown = facts === undefined || readSince.has(threadOf(source.session, source.agent));
  if (!isRecent || !isKnown) return { facts: all, isGoingOn: isRecent };
  const behind = facts === undefined ? all : factsAdded(project, source);
  return { facts: Math.max(0, all - behind), isGoingOn: behind > 0 };
}

/**
 * How many facts a reconciliation would add.
 * @param facts compares the whole transcript, however long that takes
 */
function factsAdded(project: Project, source: TranscriptSource, facts?: JournalFacts): number {
  const { ports, reader, root, writer } = project;
  const redaction = compileRedaction().options;
  const recorder = new CountingRecorder({ ports, root, writer, redaction, client: 'claude-code' });
  const result = reconcile({
    ports,
    reader,
    recorder,
    cursors: project.states.at(cursors, source.session).state,
    ...source,
    source: 'transcript',
    ...(facts === undefined ? { deadline: ports.clock.now() + COMPARE_MS } : { journal: facts }),
  });
  return result?.added ?? 0;
}

/**
 * Transcripts in the client's folder for this project whose sessions the journal does not know.
 * @param clientDir `CLAUDE_CONFIG_DIR`, else `~/.claude`
 */
export function checkUnknownSessions(project: Project, clientDir: string): Finding[] {
  const { ports, layout, dir } = project;
  if (isHidden(project)) return [];
  const folder = path.join(clientDir, 'projects', dir.replace(/[^A-Za-z0-9]/g, '-'));
  const known = project.states.at(sessions, null).state.sessions;
  const unknown = readdirIfThere(ports.fs, folder)
    .filter((name) => name.endsWith('.jsonl') && !Object.hasOwn(known, name.slice(0, -6)))
    .map((name) => ({ name, at: modified(project, path.join(folder, name)) ?? 0 }));
  if (unknown.length === 0) return [];
  const since = readManifest(ports, layout)?.createdAt ?? Number.POSITIVE_INFINITY;
  const missed = unknown.filter(({ at }) => at > since);
  const run = `ben10 import ${shellWord(folder)}`;
  if (missed.length === 0)
    return [ok('before ben10', `sessions that can be imported: ${unknown.length}; with: ${run}`)];
  const what = `sessions not recorded, though ben10 was set up: ${missed.length}`;
  return [warn('gaps', what, `Run: ${run}`)];
}

/** Milliseconds since the epoch; undefined if it is gone. */
const modified = ({ ports }: Project, file: string): number | undefined =>
  unlessRefused(() => ports.fs.stat(file).mtimeMs, undefined);
