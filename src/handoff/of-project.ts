import path from 'node:path';
import type { HandoffCreated } from '../events/types.ts';
import { Ben10Error, unlessRefused } from '../platform/errors.ts';
import { readdirIfThere } from '../platform/files.ts';
import { nodeFs } from '../platform/fs.ts';
import { placeOf } from '../platform/place.ts';
import type { Project } from '../project/open.ts';
import { type Handoff, handoffs, handoffsOf } from '../projections/folds/handoffs.ts';
import { oneLine } from '../projections/safe-text.ts';
import { textOf as wordsOf } from '../projections/tools-text.ts';
import { headOfRepository } from '../workspace/head.ts';
import { eventAt } from './at-seq.ts';
import { checkpointIn, HANDOFFS_DIR } from './document.ts';
import { Tree } from './tree.ts';
import { foreignCommit, unknownDocument, type Verification, verifyHandoff } from './verify.ts';

/** The newest first. */
export const allHandoffs = (project: Project): Handoff[] =>
  handoffsOf(project.states.at(handoffs, null).state);

/** `2026-01-07-1145` */
export const nameOf = ({ handoff }: Pick<Handoff, 'handoff'>): string =>
  path.posix.basename(handoff.file, '.md');

/** Of the worktree and its branch; a document that was written without a branch is of all. */
export function handoffsHere(project: Project, cwd: string | undefined): Handoff[] {
  const { worktree, dir } = placeOf(project.dir, cwd);
  const branch = headOfRepository(dir)?.branch;
  return allHandoffs(project).filter(
    (one) => one.worktree === worktree && [undefined, branch].includes(one.handoff.branch),
  );
}

/**
 * A handoff by its id, the start of that, its name or its file; by default the newest of this worktree and branch.
 * @throws Ben10Error HANDOFF_NOT_FOUND
 */
export function findHandoff(project: Project, cwd: string | undefined, asked?: string): Handoff {
  const name = path.basename(asked ?? '', '.md');
  const [found] =
    asked === undefined
      ? handoffsHere(project, cwd)
      : allHandoffs(project).filter(
          (one) => nameOf(one) === name || (name.length >= 4 && one.checkpoint.startsWith(name)),
        );
  if (found !== undefined) return found;
  const what = asked === undefined ? 'of this worktree and branch' : `"${oneLine(asked)}"`;
  throw new Ben10Error('HANDOFF_NOT_FOUND', `there is no handoff ${what}`, {
    next: 'All handoffs: ben10 handoff list. To make one: ben10 handoff create',
  });
}

/** As it was written: from the journal, for the file is the user's. */
export function textOf(project: Project, { handoff }: Handoff): string {
  const { text } = (eventAt(project, handoff.seq)?.data ?? {}) as Partial<HandoffCreated>;
  return wordsOf(text) ?? '';
}

/**
 * Verifies a handoff, or the file of one. A document, or a commit of work in progress, that the journal knows nothing of is of another
 * one, or of an end that was cut off.
 * @throws Ben10Error HANDOFF_NOT_FOUND
 */
export function verified(project: Project, cwd: string | undefined, asked?: string): Verification {
  const tree = new Tree(project, placeOf(project.dir, cwd).worktree);
  const [newest] = handoffsHere(project, cwd);
  const file = asked === undefined ? fileBehind(tree, newest) : fileOf(tree, asked);
  const text = file === undefined ? undefined : tree.textOf(file);
  if (file !== undefined && text !== undefined) {
    const id = checkpointIn(text);
    const known = allHandoffs(project).find(({ checkpoint }) => checkpoint === id);
    return known === undefined
      ? unknownDocument(project, file, text)
      : verifyHandoff(project, known, text);
  }
  const isAny = asked !== undefined || newest !== undefined;
  const foreign = isAny ? undefined : foreignCommit(project, tree);
  return foreign ?? verifyHandoff(project, findHandoff(project, cwd, asked));
}

const fileOf = (tree: Tree, asked: string): string | undefined =>
  asked.endsWith('.md') ? tree.nameOf(asked) : undefined;

const DOCUMENT = /^(\d{4}-\d\d-\d\d-\d{4}(?:-\d+)?)\.md$/;

/** A document that is newer than the newest that the journal knows of here. */
function fileBehind(tree: Tree, newest: Handoff | undefined): string | undefined {
  const names = unlessRefused(() => readdirIfThere(nodeFs, path.join(tree.dir, HANDOFFS_DIR)), []);
  const name = names
    .flatMap((one) => DOCUMENT.exec(one)?.[1] ?? [])
    .sort()
    .at(-1);
  const isBehind = name !== undefined && (newest === undefined || name > nameOf(newest));
  return isBehind ? `${HANDOFFS_DIR}/${name}.md` : undefined;
}
