import type { CheckpointCreated, ContextSaved, Source } from '../events/types.ts';
import { listInbox } from '../journal/append/inbox.ts';
import { asWriteError } from '../journal/append/write-errors.ts';
import { Ben10Error } from '../platform/errors.ts';
import { removeIfThere } from '../platform/files.ts';
import type { Project } from '../project/open.ts';
import { cleanText } from '../projections/safe-text.ts';
import { append } from './append.ts';
import { besideErasure } from './beside-erasure.ts';
import { prepareCurrent } from './current.ts';
import { isStoredFile, SAVES_DIR } from './places.ts';
import { PROJECTIONS, type Replayed, replayAt } from './replay.ts';
import { type ResolvedPoint, resolvePoint } from './resolve.ts';
import { prepareStored } from './stored-files.ts';
import { storedEvents } from './stored-points.ts';

export interface Saved {
  name: string;
  /** The save is the state up to this event: `@seq` is the same as `@save:name`. */
  seq: number;
  /** Of its stored state, relative to `.ben10`. */
  file: string;
  bytes: number;
}

export interface SaveOptions {
  name?: string | undefined;
  session?: string | undefined;
  /** Who asked: a tool of the server, or the command line. */
  source?: Extract<Source, 'tool' | 'cli'>;
}

/** Long enough for a sentence; a name is shown in lists. */
export const NAME_CHARS_MAX = 100;

/**
 * Saves the state of now under a name. When it returns, the state's file and the event that names it are durable.
 * The same name may be used again: both stay, and the newest is the one that the name means.
 * @throws Ben10Error USAGE for a name that cannot be one, CONTEXT_NOT_FOUND when nothing was recorded yet, CONTEXT_LOCKED,
 * FS_WRITE_ERROR, FS_PERMISSION_DENIED
 */
export function save(project: Project, options: SaveOptions = {}): Saved {
  const name = nameOf(options.name, project.ports.clock.now());
  if (options.name !== undefined) refuseSecret(name, project);
  const { resolved, session, file, bytes } = besideErasure(project, () => {
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
    const data: ContextSaved = { name, upto: seq, file };
    append(project, 'context.saved', session, data, options.source);
  } catch (error) {
    removeIfThere(project.ports.fs, `${project.root}/${file}`);
    throw error;
  }
  return { name, seq, file, bytes };
}

export interface CheckpointMade {
  /** The state up to this event is stored. */
  seq: number;
  projections: string[];
  /** Of the stored states. */
  bytes: number;
}

/**
 * Stores the states of now, so that nothing before has to be folded again, and notes it as a point.
 * @throws as `save`
 */
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

export interface SaveListed {
  name: string;
  seq: number;
  /** When it was made, milliseconds since the epoch; 0 when its event does not say. */
  at: number;
  /** Of its stored state; 0 when the file is gone. */
  bytes: number;
}

/** Every save, the oldest first. */
export function listSaves(project: Project): SaveListed[] {
  const { ports, root } = project;
  return storedEvents(project, 'context.saved').map(({ at, data: { name, upto, file } }) => {
    // An event can claim any path: only our own names are looked at.
    const stat = isStoredFile(SAVES_DIR, file)
      ? ports.fs.statIfThere(`${root}/${file}`)
      : undefined;
    return { name, seq: upto, at: at ?? 0, bytes: stat?.size ?? 0 };
  });
}

/** What is about to be stored, with all that waited in the inbox. */
function now(
  project: Project,
  asked: string | undefined,
): { resolved: ResolvedPoint; replayed: Replayed; session: string } {
  if (listInbox(project.ports, project.layout).length > 0) project.writer.drain();
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

/** It would be kept under another name than the one that was asked for, and not be found by it. */
function refuseSecret(name: string, { recorder }: Project): void {
  if (recorder.kept(name) === name) return;
  throw new Ben10Error('USAGE', 'that name holds a secret, which is not kept', {
    next: 'Choose another name, as in: ben10 save before-refactoring',
  });
}

function nameOf(given: string | undefined, at: number): string {
  if (given === undefined) return `save-${new Date(at).toISOString().replace(/[:.]/g, '-')}`;
  const name = given.trim();
  const fits = name !== '' && name.length <= NAME_CHARS_MAX;
  if (fits && cleanText(name) === name && !/[\n\t]/.test(name)) return name;
  throw new Ben10Error('USAGE', 'that cannot be the name of a save', {
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
