import { isDoomed } from '../journal/erase/doomed.ts';
import { Ben10Error, errno } from '../platform/errors.ts';
import { type Finding, warn } from '../platform/finding.ts';
import type { Check } from '../project/doors.ts';
import type { Project } from '../project/open.ts';
import { oneLine } from '../projections/safe-text.ts';
import { askableStates } from './stored-points.ts';
import { canRebuild, standingOf } from './stored-state.ts';

export interface StoredDamage {
  /** `save "x"`, `snapshot 5f3a…` */
  name: string;
  file: string;
  code: 'CONTEXT_CORRUPTED' | 'SNAPSHOT_CORRUPTED';
  is: 'damaged' | 'missing';
  /** The journal still has its events, so a restore rebuilds it. */
  canBeRebuilt: boolean;
}

/** A missing one, as after an erasure, is no fault if it can be rebuilt. */
export const isWrong = ({ is, canBeRebuilt }: StoredDamage): boolean =>
  is === 'damaged' || !canBeRebuilt;

/** Saves and snapshots whose file is damaged or missing. Reads each; changes nothing. @throws JOURNAL_UNSAFE */
export function damagedStored(project: Project): StoredDamage[] {
  return askableStates(project).flatMap((ref) => {
    const is = standingOf(project, ref);
    const { name, file, code } = ref;
    if (is !== 'damaged' && is !== 'missing') return [];
    if (is === 'missing' && isDoomed(project.ports, `${project.root}/${file}`)) return [];
    return [{ name, file, code, is, canBeRebuilt: canRebuild(project, ref) }];
  });
}

const NAMED_MAX = 5;

/** Finds damaged saves and snapshots before somebody needs one. */
export const storedCheck: Check = {
  name: 'stored states',
  isInside: true,
  run: ({ project }) => checkStored(project),
};

export function checkStored(project: Project): Finding[] {
  try {
    const found = damagedStored(project).filter(isWrong);
    const more = found.length - NAMED_MAX;
    return [
      ...found
        .slice(0, NAMED_MAX)
        .map(({ name, file, code, is, canBeRebuilt }) =>
          warn(
            'stored states',
            `${oneLine(name)} is ${is} (${code}): ${oneLine(file)}`,
            canBeRebuilt ? MEND : GONE,
          ),
        ),
      ...(more > 0 ? [warn('stored states', `and ${more} more`, 'See all: ben10 verify')] : []),
    ];
  } catch (error) {
    // Damage of the journal itself has a check of its own.
    if (error instanceof Ben10Error || errno(error) !== undefined) return [];
    throw error;
  }
}

const MEND = 'Restore it as usual: ben10 rebuilds it from the journal';
const GONE =
  'The journal does not reach back that far, so only a copy of the file helps. A new save under that name replaces it: ben10 save';
