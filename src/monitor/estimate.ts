import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { MonitorSettings } from '../platform/config/keys.ts';
import { Ben10Error } from '../platform/errors.ts';
import { readFile } from '../platform/files.ts';
import { isOutside } from '../platform/inside.ts';
import { BEN10_DIR } from '../platform/storage-location.ts';
import type { Project } from '../project/open.ts';
import { recentSessions } from '../projections/folds/sessions.ts';
import { taskSizes } from '../projections/folds/task-sizes.ts';
import { SHARE_OF_SHARD, shardsOf } from './shards.ts';
import { featuresOf, type Learnt, learnFrom, sizeOf } from './size.ts';
import { windowBy } from './window.ts';

export const TEXT_BYTES_MAX = 512 * 1024;
/** Of the window: more is sharded before it is begun. */
const TOO_LARGE = 0.6;
const SESSIONS_LEARNT = 20;

export interface Where {
  project: Project;
  settings: Pick<MonitorSettings, 'window'>;
  session?: string | null | undefined;
}

interface Asked {
  /** How many shards. */
  into?: number | undefined;
  /** How many of the newest ones teach, beside its own. */
  sessions?: number;
  /** Cut it, also where it fits. */
  always?: boolean;
}

export type Estimate = ReturnType<typeof estimateOf>;
type Advice = 'fits' | 'consider-shards' | 'shard' | 'does-not-fit';

/** What a task takes, beside the room that a session has; its share is of the window, in percent. */
export function estimateOf(
  { project, settings, session }: Where,
  text: string,
  { into, sessions = SESSIONS_LEARNT, always = false }: Asked = {},
) {
  const now = session == null ? undefined : project.states.at(taskSizes, session).state;
  const used = now?.tokens ?? 0;
  const { window } = windowBy({ set: settings.window, model: now?.model || undefined }, used);
  const bytesOf = sizesIn(project);
  const features = featuresOf(text, bytesOf);
  const learnt = learntBy(project, sessions, session);
  const size = sizeOf(features, learnt);
  const share = size.tokens / window;
  const fits = share > SHARE_OF_SHARD ? 'consider-shards' : 'fits';
  const isOver = size.tokens > window - used;
  const advice: Advice = share > TOO_LARGE ? 'shard' : isOver ? 'does-not-fit' : fits;
  const shards =
    always || advice === 'shard' || isOver
      ? shardsOf(text, size.tokens, { window, bytesOf, into })
      : [];
  return {
    ...size,
    ...{ features, learnt, window, used, share: Math.round(share * 100), advice, shards },
  };
}

/** What finished tasks of the newest sessions teach. */
function learntBy(project: Project, sessions: number, own: Where['session']): Learnt {
  const { state } = project.states.at(recentSessions, null);
  const newest = Object.keys(state.sessions).slice(-sessions);
  const all = own == null || newest.includes(own) ? newest : [...newest, own];
  return learnFrom(all.flatMap((one) => project.states.at(taskSizes, one).state.finished));
}

/** Sizes of files by their names in a text, which are relative to the project. */
function sizesIn({ dir }: Project): (file: string) => number | undefined {
  return (file) => {
    const name = path.resolve(dir, file);
    if (isOutside(dir, name)) return undefined;
    try {
      const stat = statSync(name);
      return stat.isFile() ? stat.size : undefined;
    } catch {
      return undefined;
    }
  };
}

/**
 * The text of a file of the project, or undefined: it is not there, is not ours to read, or is too large.
 * @param file relative to the project
 */
export function specIn(project: Project, file: string): string | undefined {
  const { dir, ports } = project;
  const name = path.resolve(dir, file);
  if (file.split('/').includes(BEN10_DIR) || project.excludedBy(file) !== undefined)
    return undefined;
  try {
    // A link may lead elsewhere.
    if (isOutside(realpathSync(dir), realpathSync(name))) return undefined;
    return readFile(ports.fs, name, TEXT_BYTES_MAX).toString('utf8');
  } catch {
    return undefined;
  }
}

/** Whether it can be begun as it is. */
export const hasRoom = ({ advice }: Estimate): boolean =>
  advice === 'fits' || advice === 'consider-shards';

/** The text of a file of the project. @throws Ben10Error FS_NOT_FOUND @param file relative to the project, or absolute */
export function projectText(project: Project, file: string): string {
  const text = specIn(project, file);
  if (text !== undefined) return text;
  throw new Ben10Error('FS_NOT_FOUND', 'the project has no such text to read', {
    next: 'Give the path of a text below the project, or the task in words.',
  });
}
