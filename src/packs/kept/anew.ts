import { Ben10Error } from '../../platform/errors.ts';
import type { Project } from '../../project/open.ts';
import type { PackSnapshotRecord } from '../../projections/folds/packs.ts';
import { resolvePoint } from '../../timetravel/resolve.ts';
import { type Side, sideOf } from '../compare.ts';
import { packsOf, renderOf } from '../of-project.ts';
import { payloadOf } from './snapshots.ts';

/**
 * The stored bytes; if they are lost or damaged, what is rendered now, where that is the same to the byte.
 * @throws Ben10Error as `payloadOf`
 */
export async function payloadOrAnew(project: Project, record: PackSnapshotRecord): Promise<Side> {
  const { packs: words, policy, at: seq, payloadHash, tokens, renderHash } = record;
  try {
    return { ...payloadOf(project, record), tokens, renderHash };
  } catch (error) {
    if (!(error instanceof Ben10Error) || error.code !== 'CHECKSUM_MISMATCH') throw error;
    try {
      const at = seq === undefined ? undefined : resolvePoint(project, `@${seq}`);
      const packs = packsOf(project, words, at).map((pack) => ({ ...pack, policy }));
      const now = await renderOf(project, { packs, at });
      if (now.payloadHash === payloadHash) return sideOf(project, now);
    } catch (gone) {
      if (!(gone instanceof Ben10Error)) throw gone; // its packs are gone
    }
    throw error;
  }
}
