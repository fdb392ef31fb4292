import type { Source } from '../../events/types.ts';
import { ensureLayout } from '../../journal/format/layout.ts';
import { nearName } from '../../platform/config/nearest.ts';
import { Ben10Error } from '../../platform/errors.ts';
import { randomHex } from '../../platform/random.ts';
import { sha256 } from '../../platform/sha256.ts';
import type { Project } from '../../project/open.ts';
import {
  PACK_SNAPSHOTS_MAX,
  type PackSnapshotRecord,
  type PacksState,
  packs,
} from '../../projections/folds/packs.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { besideErasure, erasureEpoch } from '../../timetravel/beside-erasure.ts';
import type { Rendered } from '../render/render.ts';
import { getPayload, hasPayload, type KeptPayload, putPayload } from './payload-file.ts';
import { expire, removeSnapshots } from './retention.ts';

export interface About {
  packs: readonly string[];
  label?: string | undefined;
  /** It was given to a model, and nobody asked for a snapshot. */
  auto: boolean;
  at?: number | undefined;
  session?: string | null;
  /** Of the journal when the render began: what was erased since is not kept. */
  epoch: number;
}

export const snapshotsOf = (project: Project): PackSnapshotRecord[] =>
  Object.values(stateOf(project).snapshots);

const stateOf = (project: Project): PacksState => project.states.at(packs, null).state;

/**
 * Keeps what was rendered; file and event are durable on return. What is given by itself twice in a row is one snapshot.
 * @throws Ben10Error USAGE for an invalid label or an empty payload, LIMIT_EXCEEDED, CONTEXT_LOCKED, JOURNAL_UNSAFE, FS_WRITE_ERROR,
 * FS_PERMISSION_DENIED
 */
export function takeSnapshot(
  project: Project,
  rendered: Rendered,
  about: About,
  source: Source,
): PackSnapshotRecord {
  const { label, auto, packs: names, at, session = null } = about;
  if (label !== undefined) refuseLabel(project, label);
  if (rendered.payload.length === 0)
    throw new Ben10Error('LIMIT_EXCEEDED', 'not everything fits into the budget', {
      next: 'Give a larger --budget, or change the pack: ben10 pack set NAME --fill prefix',
    });
  ensureLayout(project.ports.fs, project.layout);
  const keep = () =>
    besideErasure(project, () => {
      if (erasureEpoch(project) !== about.epoch)
        throw new Ben10Error('PACK_CHANGED', 'something was erased while packs were rendered', {
          next: 'Run the same again.',
        });
      return () => putPayload(project, rendered);
    });
  const file = keep();
  const before = auto ? snapshotsOf(project).at(-1) : undefined;
  if (before?.renderHash === rendered.renderHash && before.label === undefined) {
    const isSame = before.file === file && before.at === at;
    if (isSame && before.packs.join() === names.join()) return before;
  }
  const id = randomHex(project.ports.random, 8);
  const left: Record<string, number> = {};
  for (const { reason } of rendered.excluded) left[reason] = (left[reason] ?? 0) + 1;
  const { policy, renderHash, payloadHash, tokens, bytes, included, redactions } = rendered;
  const data = {
    ...(label !== undefined && { label }),
    ...{ auto, packs: [...names], policy, renderHash, payloadHash, tokens, bytes },
    ...{ items: included.length, left, redactions, file },
    ...(at !== undefined && { at }),
  };
  const { recorder } = project;
  recorder.append([
    recorder.ownEvent('pack.snapshotted', session, { snapshot: id, ...data }, source),
  ]);
  // Another process may have removed it as nobody's, before there was the event.
  if (!hasPayload(project, file)) keep();
  if (label === undefined) expire(project, source, id);
  const waiting = { ...data, id, seq: 0, createdAt: project.ports.clock.now(), session };
  return stateOf(project).snapshots[id] ?? waiting;
}

const LABEL = /^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/;

function refuseLabel(project: Project, label: string): void {
  if (!LABEL.test(label) || project.redact(label) !== label)
    throw new Ben10Error('USAGE', 'that is not a valid name for a snapshot', {
      next: 'Use 1 to 60 letters, digits, dots and dashes, and no secret, as in: --name v1.0',
    });
  const named = snapshotsOf(project).filter((one) => one.label !== undefined);
  if (named.length >= PACK_SNAPSHOTS_MAX)
    throw new Ben10Error('LIMIT_EXCEEDED', `there are ${named.length} named snapshots`, {
      next: 'Remove some: ben10 pack forget LABEL',
    });
}

/**
 * By its label, of which the newest counts, or by its id or a unique start of one.
 * @param alsoNamed what else could have been meant
 * @throws Ben10Error PACK_NOT_FOUND with the nearest name
 */
export function findSnapshot(
  project: Project,
  given: string,
  alsoNamed?: readonly string[],
): PackSnapshotRecord {
  const all = snapshotsOf(project);
  const named = all.findLast(({ label }) => label === given);
  if (named !== undefined) return named;
  const begins = all.filter((one) => isBegun(one, given));
  if (begins.length === 1) return begins[0]!;
  const shown = `"${oneLine(given).slice(0, 60)}"`;
  if (begins.length > 1)
    throw new Ben10Error('PACK_NOT_FOUND', `${shown} begins ${begins.length} snapshots`, {
      next: `Give more of the id: ${begins.slice(0, 5).map(nameOfSnapshot).join(', ')}`,
    });
  const near = nearName(given, [...all.flatMap(({ label }) => label ?? []), ...(alsoNamed ?? [])]);
  const hint = near === undefined ? '' : `; did you mean "${near}"?`;
  const [what, where] = alsoNamed === undefined ? ['', ''] : ['pack or ', 'ben10 pack list, '];
  throw new Ben10Error('PACK_NOT_FOUND', `there is no ${what}snapshot ${shown}${hint}`, {
    next: `List them: ${where}ben10 pack snapshots`,
  });
}

/** A slip of one letter is no id. */
const ID_CHARS_MIN = 4;

const isBegun = ({ id }: PackSnapshotRecord, given: string): boolean =>
  given.length >= ID_CHARS_MIN && id.startsWith(given.toLowerCase());

export const nameOfSnapshot = ({ label, id }: PackSnapshotRecord): string => label ?? id;

/** The stored bytes. @throws Ben10Error CHECKSUM_MISMATCH if they are lost, damaged or erased */
export function payloadOf(project: Project, record: PackSnapshotRecord): KeptPayload {
  const { file, packs: names, payloadHash, seq } = record;
  const found = getPayload(project, file);
  if (found !== undefined && sha256(found.payload).toString('hex') === payloadHash) return found;
  const name = nameOfSnapshot(record);
  const what = hasPayload(project, file) ? 'is damaged' : 'is gone';
  const why = payloadHash === '' ? 'was erased' : what;
  throw new Ben10Error('CHECKSUM_MISMATCH', `the payload of snapshot ${name} ${why}`, {
    place: { file: `${project.root}/${file}`, seq },
    next: `Keep what it renders now: ben10 pack snapshot ${names.join(' --with-pack ')}; or remove it: ben10 pack forget ${name}`,
  });
}

/** Removes a snapshot, and its file if no other one has it. @throws as `findSnapshot` and `removeSnapshots` */
export function forget(project: Project, given: string, source: Source): PackSnapshotRecord {
  const record = findSnapshot(project, given);
  removeSnapshots(project, [{ record, why: 'asked' }], source);
  return record;
}
