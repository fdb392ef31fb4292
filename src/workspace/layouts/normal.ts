import type { DevContext } from '../context.ts';
import { changesSection, containersSection, hintSection, workSection } from './parts.ts';
import type { Layout } from './section.ts';
import { isChanged, moreRow, nameOf, row, statusOf, tableHead } from './words.ts';

/** For everyday use: the work, and what goes on around it. */
export function normal(context: DevContext, now: number): Layout {
  const changed = context.repositories.filter(isChanged);
  return {
    title: '# Development Context',
    sections: [
      ...workSection(context, now),
      hintSection('## AI Hints', context),
      {
        what: ['changed repository', 'changed repositories'],
        apart: true,
        head: ['## Git Status (changes only)', ...tableHead('Repository', 'Branch', 'Status')],
        entries: changed.map((one, index) => ({
          text: row(nameOf(one), one.branch, statusOf(one)),
          worth: 60 / (1 + index / 4),
        })),
        more: moreRow(3),
      },
      containersSection(context),
      changesSection(context, now),
    ],
    foot: [],
    empty:
      '*Nothing is known to be saved, changed or running here. The level "full" has what else there is.*',
    tokensMax: 400,
  };
}
