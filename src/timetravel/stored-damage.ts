import { isDoomed } from '../journal/erase/doomed.ts';
import type { Project } from '../project/open.ts';
import { askableStates } from './stored-points.ts';
import { canRebuild, standingOf } from './stored-state.ts';

export interface StoredDamage {
  /** `save "x"`, `snapshot 5f3a…` */
  name: string;
  /** Relative to `.ben10`. */
  file: string;
  code: 'CONTEXT_CORRUPTED' | 'SNAPSHOT_CORRUPTED';
  is: 'damaged' | 'missing';
  /** The journal has all that it was made of: whoever restores it has it made again. */
  canBeRebuilt: boolean;
}

/** One that is only not there, as an erasure leaves it, is made again by whoever asks for it. */
export const isWrong = ({ is, canBeRebuilt }: StoredDamage): boolean =>
  is === 'damaged' || !canBeRebuilt;

/**
 * Saves and snapshots that can be asked for, whose stored state is not what was stored. Nothing is touched. Each is read and checked, so this is for those who examine.
 * @throws JOURNAL_UNSAFE
 */
export function damagedStored(project: Project): StoredDamage[] {
  return askableStates(project).flatMap((ref) => {
    const is = standingOf(project, ref);
    const { name, file, code } = ref;
    if (is !== 'damaged' && is !== 'missing') return [];
    if (is === 'missing' && isDoomed(project.ports, `${project.root}/${file}`)) return [];
    return [{ name, file, code, is, canBeRebuilt: canRebuild(project, ref) }];
  });
}
