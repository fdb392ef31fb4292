import { journalRange } from '../journal/read/range.ts';
import type { Project } from '../project/open.ts';
import { indexOf } from '../search/keep-up.ts';
import type { Ben10Context } from './context.ts';
import { progressBar } from './ui/progress.ts';
import { wrap } from './ui/wrap.ts';

/**
 * Brings a project's search index up to date; says on stderr how far it is, and if it could not be kept.
 * @param isKept false where ben10 only reads
 */
export async function indexed(
  project: Project,
  { stderr, now }: Ben10Context,
  isKept = true,
): Promise<void> {
  const index = indexOf(project);
  const { last } = journalRange(project.ports, project.reader);
  const bar = await progressBar('indexing', stderr, now);
  for (const _ of index.steps()) bar.advance(Math.min(index.upto, last - 1), last);
  bar.end();
  if (isKept && index.unwritten !== undefined) stderr.write(`${wrap(index.unwritten)}\n`);
}
