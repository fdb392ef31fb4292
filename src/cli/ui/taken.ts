import type { WipCommitted } from '../../events/types.ts';
import type { Taken } from '../../handoff/take.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { plural } from './format.ts';
import type { Colours } from './terminal.ts';

/** What a checkpoint did: its document, its commit with what was left out of it, and what to do next. */
export const takenLines = (
  { file, resume, wip, notCommitted }: Taken,
  colours: Colours,
): string[] => [
  colours.green(`Wrote ${oneLine(file)}.`),
  ...(wip === null ? [] : [committedLine(wip)]),
  ...(notCommitted === null ? [] : [`Nothing was committed: ${oneLine(notCommitted)}.`]),
  `In the next session: ${resume}`,
];

const committedLine = ({ commit, ref, files, leftOut }: WipCommitted): string => {
  const left = leftOut.map(({ path, why }) => `${oneLine(path)} (${oneLine(why)})`);
  const but =
    left.length === 0
      ? ''
      : `, without ${left.slice(0, 5).join(', ')}${left.length > 5 ? '…' : ''}`;
  return `Committed ${plural(files, 'file')} as ${commit.slice(0, 12)} on ${oneLine(ref)}${but}.`;
};
