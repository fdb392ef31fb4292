import { Ben10Error, errno } from '../platform/errors.ts';
import { type Finding, warn } from '../platform/finding.ts';
import type { Check } from '../project/doors.ts';
import type { Project } from '../project/open.ts';
import { oneLine } from '../projections/safe-text.ts';
import { damagedStored, isWrong } from './stored-damage.ts';

/** Stored states that are named; the others are counted. */
const NAMED_MAX = 5;

/** Saves and snapshots that are damaged: they are noticed here before somebody needs one. */
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
    // What is wrong with the journal itself is said of the journal.
    if (error instanceof Ben10Error || errno(error) !== undefined) return [];
    throw error;
  }
}

const MEND = 'Restore it as usual: it is made again from the journal';
const GONE =
  'The journal does not reach back to it, so that nothing but a copy of the file brings it back. A new save of that name takes its place: ben10 save';
