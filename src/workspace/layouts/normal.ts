import type { DevContext } from '../context.ts';
import { changesSection, containersSection, hintSection, table, workSection } from './parts.ts';
import type { Layout } from './section.ts';
import { isChanged, nameOf, row, statusOf } from './words.ts';

/** For everyday use: the work, and what goes on around it. */
export function normal(context: DevContext, now: number): Layout {
  const changed = context.repositories.filter(isChanged);
  return {
    title: '# Development Context',
    sections: [
      ...workSection(context, now),
      hintSection('## AI Hints', context),
      table(
        ['changed repository', 'changed repositories'],
        '## Git Status (changes only)',
        ['Repository', 'Branch', 'Status'],
        changed.map((one) => row(nameOf(one), one.branch, statusOf(one))),
        60,
      ),
      containersSection(context),
      changesSection(context, now),
    ],
    foot: [],
    empty:
      '*Nothing is known to be saved, changed or running here. The level "full" has what else there is.*',
    tokensMax: 400,
  };
}
