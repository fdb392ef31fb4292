import type { Project } from '../project/open.ts';
import { storedStates } from './stored-points.ts';
import { standingOf } from './stored-state.ts';

export interface StoredDamage {
  /** `save "x"`, `snapshot 5f3a…` */
  name: string;
  /** Relative to `.ben10`. */
  file: string;
  code: 'CONTEXT_CORRUPTED' | 'SNAPSHOT_CORRUPTED';
  is: 'damaged' | 'missing';
}

/**
 * Saves and snapshots whose stored state is not what was stored. Nothing is touched: whoever restores one has it made again from
 * the journal. Each is read and checked, so this is for those who examine.
 * @throws JOURNAL_UNSAFE
 */
export function damagedStored(project: Project): StoredDamage[] {
  return storedStates(project).flatMap((ref) => {
    const is = standingOf(project, ref);
    const { name, file, code } = ref;
    return is === 'damaged' || is === 'missing' ? [{ name, file, code, is }] : [];
  });
}
