import { Ben10Error } from '../platform/errors.ts';
import type { Project } from '../project/open.ts';
import type { PackSnapshotRecord } from '../projections/folds/packs.ts';
import { oneLine } from '../projections/safe-text.ts';
import { resolvePoint } from '../timetravel/resolve.ts';
import { differencesOf, type ItemDifference } from './compare.ts';
import { findSnapshot, payloadOf } from './kept/snapshots.ts';
import { newestOf } from './kept/stale.ts';
import { packsAt, packsOf, renderOf } from './of-project.ts';
import type { Lock, LockedItem, PortablePack } from './portable/portable.ts';
import { itemsOf, lockOf } from './portable/portable.ts';

/** Whether packs render today what they rendered there or then. */
export interface Verified {
  name: string;
  isSame: boolean;
  renderHash: string;
  expected: string;
  /** None where only the policy or the order of the items is another. */
  differences: readonly ItemDifference<LockedItem>[];
}

const verified = (name: string, before: Lock, after: Lock): Verified => ({
  name,
  isSame: before.renderHash === after.renderHash,
  renderHash: after.renderHash,
  expected: before.renderHash,
  differences: differencesOf(before.items, after.items),
});

/** Packs of a file against its locks; of the project only files and settings are asked. @throws Ben10Error USAGE without a lock */
export async function verifyFile(
  project: Project,
  packs: readonly PortablePack[],
): Promise<Verified[]> {
  const unlocked = packs.find(({ lock }) => lock === undefined);
  if (unlocked !== undefined || packs.length === 0)
    throw new Ben10Error(
      'USAGE',
      `the file has no lock${unlocked ? ` for ${unlocked.name}` : ''}`,
      {
        next: 'Write one where the packs are right: ben10 pack export --lock -o FILE',
      },
    );
  const all: Verified[] = [];
  for (const pack of packs) all.push(verified(pack.name, pack.lock!, await lockOf(project, pack)));
  return all;
}

/** A snapshot, or the newest one of a pack, against what its packs render now. @throws Ben10Error PACK_NOT_FOUND, CHECKSUM_MISMATCH */
export async function verifySnapshot(project: Project, given: string): Promise<Verified> {
  const snapshot = snapshotFor(project, given);
  const { packs: names, policy, renderHash } = snapshot;
  const at = snapshot.at === undefined ? undefined : resolvePoint(project, `@${snapshot.at}`);
  const { manifest } = payloadOf(project, snapshot);
  const packs = packsOf(project, names, at);
  const rendered = await renderOf(project, {
    packs,
    budgetTokens: policy.budgetTokens,
    at,
  });
  const items = itemsOf(rendered);
  return verified(
    given,
    { renderHash, items: manifest },
    { renderHash: rendered.renderHash, items },
  );
}

function snapshotFor(project: Project, given: string): PackSnapshotRecord {
  const isPack = Object.hasOwn(packsAt(project).packs, given);
  const found = isPack
    ? newestOf(project, [given])
    : findSnapshot(project, given, Object.keys(packsAt(project).packs));
  if (found === undefined)
    throw new Ben10Error('PACK_NOT_FOUND', `there is no snapshot of pack ${given}`, {
      next: `Take one when it is right: ben10 pack snapshot ${given}`,
    });
  if (found.packs.length > 0) return found;
  throw new Ben10Error('USAGE', `snapshot ${oneLine(given)} was not of packs`, {
    next: 'Give one that was: ben10 pack snapshots',
  });
}
