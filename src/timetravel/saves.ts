import type { CheckpointCreated, ContextMetrics, ContextSaved, Source } from '../events/types.ts';
import { asWriteError } from '../journal/append/write-errors.ts';
import { refuseUnsafe } from '../journal/format/layout.ts';
import { Ben10Error } from '../platform/errors.ts';
import { removeIfThere } from '../platform/files.ts';
import type { Project } from '../project/open.ts';
import type { ContextState } from '../projections/folds/context.ts';
import { cleanText, oneLine } from '../projections/safe-text.ts';
import { append, drainInbox } from './append.ts';
import { besideErasure } from './beside-erasure.ts';
import { prepareCurrent } from './current.ts';
import { isStoredFile, SAVES_DIR } from './places.ts';
import { PROJECTIONS, type Replayed, replayAt } from './replay.ts';
import { type ResolvedPoint, resolvePoint } from './resolve.ts';
import { metricsOf } from './snapshots/take.ts';
import { foldersOf, prepareStored, removeStored } from './stored-files.ts';
import { refOf, savesIn } from './stored-points.ts';
import { canRebuild } from './stored-state.ts';

export interface Saved {
  name: string;
  /** `@seq` is the same point as `@save:name`. */
  seq: number;
  /** Relative to `.ben10`. */
  file: string;
  bytes: number;
}

export interface SaveOptions {
  name?: string | undefined;
  session?: string | undefined;
  /** A server's tool, or the command line. */
  source?: Extract<Source, 'tool' | 'cli'>;
}

export const NAME_CHARS_MAX = 100;

/**
 * Saves the current state under a name; file and event are durable on return. A name used again means the newest save.
 * @throws Ben10Error USAGE for an invalid name, CONTEXT_NOT_FOUND when nothing was recorded yet, CONTEXT_LOCKED, FS_WRITE_ERROR,
 * FS_PERMISSION_DENIED
 */
export function save(project: Project, options: SaveOptions = {}): Saved {
  const name = nameOf(options.name, project.ports.clock.now());
  if (options.name !== undefined) refuseSecret(name, project);
  const { resolved, replayed, session, file, bytes } = besideErasure(project, () => {
    const found = now(project, options.session);
    const writeOut = currentOrThrow(project, found.replayed);
    const store = prepareStored(project, SAVES_DIR, found.replayed);
    return () => {
      writeOut();
      return { ...found, ...store() };
    };
  });
  const { seq } = resolved;
  try {
    const data: ContextSaved = {
      name,
      upto: seq,
      file,
      holds: metricsOf(replayed.state as ContextState),
    };
    append(project, 'context.saved', session, data, options.source);
  } catch (error) {
    removeIfThere(project.ports.fs, `${project.root}/${file}`);
    throw error;
  }
  return { name, seq, file, bytes };
}

interface CheckpointMade {
  /** The newest event in the stored states. */
  seq: number;
  projections: string[];
  bytes: number;
}

/** Stores the current states, so that nothing earlier is folded again, and records a point. @throws as `save` */
export function checkpoint(
  project: Project,
  options: Pick<SaveOptions, 'session' | 'source'> = {},
): CheckpointMade {
  const { resolved, session } = besideErasure(project, () => {
    const found = now(project, options.session);
    const writeOut = currentOrThrow(project, found.replayed);
    return () => {
      writeOut();
      return found;
    };
  });
  const { seq } = resolved;
  let bytes = 0;
  try {
    bytes += project.states.checkpoint(PROJECTIONS.context!, session);
    bytes += project.states.checkpoint(PROJECTIONS.sessions!, null);
  } catch (error) {
    throw asWriteError(error, project.layout.checkpoints);
  }
  const projections = ['context', 'sessions'];
  const data: CheckpointCreated = { upto: seq, projections };
  append(project, 'checkpoint.created', session, data, options.source);
  return { seq, projections, bytes };
}

interface SaveListed {
  name: string;
  seq: number;
  /** Milliseconds since the epoch; 0 when unknown. */
  at: number;
  bytes: number;
  /** Null for those of earlier versions. */
  holds: ContextMetrics | null;
  /** The journal no longer has its events, so only a forced deletion removes it. */
  pinned: boolean;
}

/** All saves, oldest first. */
export function listSaves(project: Project): SaveListed[] {
  const { ports, root } = project;
  return savesIn(project).saves.map((event) => {
    const { name, upto, file, holds = null } = event.data;
    // Events may claim any path: only valid names are looked up.
    const stat = isStoredFile(SAVES_DIR, file)
      ? ports.fs.statIfThere(`${root}/${file}`)
      : undefined;
    const pinned = !canRebuild(project, refOf(event));
    return { name, seq: upto, at: event.at ?? 0, bytes: stat?.size ?? 0, holds, pinned };
  });
}

interface Deleted {
  name: string;
  /** Of each save, oldest first: `@seq` stays a point while the journal has the events. */
  seqs: number[];
  bytes: number;
  pinned: boolean;
}

/**
 * Deletes all saves of a name. Files first: if it is interrupted, the saves are still there, and can be rebuilt or deleted again.
 * @throws Ben10Error POINT_NOT_FOUND; USAGE for a pinned one; FS_WRITE_ERROR, FS_PERMISSION_DENIED
 */
export function deleteSaves(project: Project, name: string, force = false): Deleted {
  drainInbox(project);
  const { session } = resolvePoint(project, `@save:${name}`);
  const listed = listSaves(project).filter((one) => one.name === name);
  const pinned = listed.some((one) => one.pinned);
  if (pinned && !force)
    throw new Ben10Error('USAGE', `the journal no longer has the events of "${oneLine(name)}"`, {
      next: 'Nothing can bring it back; if that is meant, add --force',
    });
  for (const dir of foldersOf(project, SAVES_DIR)) refuseUnsafe(project.ports.fs, dir);
  const events = savesIn(project).saves.filter(({ data }) => data.name === name);
  for (const { data } of events)
    if (isStoredFile(SAVES_DIR, data.file)) removeStored(project, data.file);
  append(project, 'save.deleted', session ?? '', { name, saves: events.map(({ seq }) => seq) });
  const bytes = listed.reduce((sum, one) => sum + one.bytes, 0);
  return { name, seqs: listed.map(({ seq }) => seq), bytes, pinned };
}

/** The current state, after the inbox was drained. */
function now(
  project: Project,
  asked: string | undefined,
): { resolved: ResolvedPoint; replayed: Replayed; session: string } {
  drainInbox(project);
  const resolved = resolvePoint(project, '@head', { session: asked });
  const replayed = replayAt(project, resolved);
  const { session } = replayed;
  if (session !== null) return { resolved, replayed, session };
  throw new Ben10Error(
    'CONTEXT_NOT_FOUND',
    'there is nothing to save: no session was recorded yet',
    {
      place: { file: project.layout.journal },
      next: 'Work in the client with ben10 installed, or run: ben10 import',
    },
  );
}

/** Redaction would change the name, and the save could not be found. */
function refuseSecret(name: string, { recorder }: Project): void {
  if (recorder.kept(name) === name) return;
  throw new Ben10Error('USAGE', 'that name contains a secret, which ben10 does not store', {
    next: 'Choose another name, as in: ben10 save before-refactoring',
  });
}

function nameOf(given: string | undefined, at: number): string {
  if (given === undefined) return `save-${new Date(at).toISOString().replace(/[:.]/g, '-')}`;
  const name = given.trim();
  const fits = name !== '' && name.length <= NAME_CHARS_MAX;
  if (fits && cleanText(name) === name && !/[\n\t]/.test(name)) return name;
  throw new Ben10Error('USAGE', 'that is not a valid name for a save', {
    next: `Use 1 to ${NAME_CHARS_MAX} visible characters on one line`,
  });
}

function currentOrThrow(project: Project, replayed: Replayed): () => void {
  const write = prepareCurrent(project, replayed);
  return () => {
    try {
      write();
    } catch (error) {
      throw asWriteError(error, `${project.root}/current.ctx`);
    }
  };
}
