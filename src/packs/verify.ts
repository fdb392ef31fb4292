import { Ben10Error } from '../platform/errors.ts';
import type { Project } from '../project/open.ts';
import { oneLine } from '../projections/safe-text.ts';
import { differencesOf, type ItemDifference } from './compare.ts';
import { findSnapshot, payloadOf } from './kept/snapshots.ts';
import { newestOf } from './kept/stale.ts';
import { packsAt, renderWords } from './of-project.ts';
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
  if (unlocked !== undefined || packs.length === 0) {
    const of = unlocked ? ` for ${unlocked.name}` : '';
    throw new Ben10Error('USAGE', `the file has no lock${of}`, {
      next: 'Write one where the packs are right: ben10 pack export --lock -o FILE',
    });
  }
  const all: Verified[] = [];
  for (const pack of packs) all.push(verified(pack.name, pack.lock!, await lockOf(project, pack)));
  return all;
}

/** A snapshot, or the newest one of a pack, against what its packs render now. @throws Ben10Error PACK_NOT_FOUND, CHECKSUM_MISMATCH */
export async function verifySnapshot(project: Project, given: string): Promise<Verified> {
  const { packs } = packsAt(project);
  const found = Object.hasOwn(packs, given)
    ? newestOf(project, [given])
    : findSnapshot(project, given, Object.keys(packs));
  if (found === undefined)
    throw new Ben10Error('PACK_NOT_FOUND', `there is no snapshot of pack ${given}`, {
      next: `Take one when it is right: ben10 pack snapshot ${given}`,
    });
  if (found.packs.length === 0)
    throw new Ben10Error('USAGE', `snapshot ${oneLine(given)} was not of packs`, {
      next: 'Give one that was: ben10 pack snapshots',
    });
  const { policy, renderHash, at } = found;
  const { manifest } = payloadOf(project, found);
  const how = { budgetTokens: policy.budgetTokens, at: at === undefined ? at : `@${at}` };
  const { rendered } = await renderWords(project, found.packs, how);
  const now = { renderHash: rendered.renderHash, items: itemsOf(rendered) };
  return verified(given, { renderHash, items: manifest }, now);
}
