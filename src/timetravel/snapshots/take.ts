import type {
  ContextMetrics,
  SnapshotCreated,
  SnapshotTrigger,
  Source,
} from '../../events/types.ts';
import { removeIfThere } from '../../platform/files.ts';
import { randomHex } from '../../platform/random.ts';
import { sha256 } from '../../platform/sha256.ts';
import type { Project } from '../../project/open.ts';
import type { ContextState } from '../../projections/folds/context.ts';
import { append, drainInbox } from '../append.ts';
import { besideErasure } from '../beside-erasure.ts';
import { contextNow } from '../current.ts';
import { SNAPSHOTS_DIR } from '../places.ts';
import { prepareStored } from '../stored-files.ts';

interface TakeOptions {
  session: string;
  trigger: SnapshotTrigger;
  source?: Extract<Source, 'hook' | 'tool' | 'cli'>;
}

/**
 * Stores a session's whole state before a compaction; file and event are durable on return.
 * @throws Ben10Error CONTEXT_NOT_FOUND when nothing was recorded yet, STATES_BEHIND, CONTEXT_LOCKED, FS_WRITE_ERROR,
 * FS_PERMISSION_DENIED, JOURNAL_UNSAFE
 */
export function takeSnapshot(project: Project, options: TakeOptions): SnapshotCreated {
  const { ports, root } = project;
  const { session, trigger, source = 'hook' } = options;
  drainInbox(project);
  const { stored, now } = besideErasure(project, () => {
    const now = contextNow(project, session);
    const store = prepareStored(project, SNAPSHOTS_DIR, now);
    return () => ({ now, stored: store() });
  });
  const data: SnapshotCreated = {
    snapshot: randomHex(ports.random, 8),
    trigger,
    upto: now.point.seq,
    file: stored.file,
    before: metricsOf(now.state),
    contentHash: sha256(stored.plain).toString('hex'),
    plainBytes: stored.plain.length,
    bytes: stored.bytes,
  };
  try {
    append(project, 'snapshot.created', session, data, source);
  } catch (error) {
    removeIfThere(ports.fs, `${root}/${stored.file}`);
    throw error;
  }
  return data;
}

export function metricsOf({ usage, conversation, files, tools }: ContextState): ContextMetrics {
  return {
    ...(usage.contextTokens !== null && { tokens: usage.contextTokens }),
    messages: conversation.messageCount,
    files: Object.keys(files.files).length,
    toolExecutions: tools.total,
  };
}
