import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { HandoffCreated } from '../events/types.ts';
import { withBlobs } from '../log/blobs.ts';
import { Ben10Error } from '../platform/errors.ts';
import { placeOf } from '../platform/place.ts';
import type { Project } from '../project/open.ts';
import { type Handoff, handoffs, handoffsOf } from '../projections/folds/handoffs.ts';
import { oneLine } from '../projections/safe-text.ts';
import { headOfRepository } from '../workspace/head.ts';
import { HANDOFFS_DIR } from './document.ts';
import { eventAt } from './files.ts';
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
  if (asked === undefined) {
    const [newest] = handoffsHere(project, cwd);
    if (newest !== undefined) return newest;
    throw notFound('there is no handoff of this worktree and branch');
  }
  const name = path.basename(asked, '.md');
  const found = allHandoffs(project).filter(
    (one) => nameOf(one) === name || (name.length >= 4 && one.checkpoint.startsWith(name)),
  );
  if (found.length === 0) throw notFound(`there is no handoff "${oneLine(asked)}"`);
  return found[0]!;
}

const notFound = (what: string): Ben10Error =>
  new Ben10Error('HANDOFF_NOT_FOUND', what, {
    next: 'All handoffs: ben10 handoff list. To make one: ben10 handoff create',
  });

/** As it was written: from the journal, for the file is the user's. */
export function textOf(project: Project, { handoff }: Handoff): string {
  const event = eventAt(project, handoff.seq);
  const { text } = (withBlobs(project, event?.data ?? {}) ?? {}) as Partial<HandoffCreated>;
  return typeof text === 'string' ? text : '';
}

/**
 * Verifies a handoff, or the file of one. A document, or a commit of work in progress, that the journal knows nothing of is of another
 * one, or of an end that was cut off.
 * @throws Ben10Error HANDOFF_NOT_FOUND
 */
export function verified(
  project: Project,
  cwd: string | undefined,
  asked?: string,
): { handoff: Handoff | undefined; verification: Verification } {
  const { worktree } = placeOf(project.dir, cwd);
  const tree = new Tree(project, worktree);
  const file = asked === undefined ? unknownIn(project, tree, cwd) : fileIn(tree, asked);
  const text = file === undefined ? undefined : tree.read(file);
  const id = typeof text === 'object' ? idIn(text.toString()) : undefined;
  const known = allHandoffs(project).find(({ checkpoint }) => checkpoint === id);
  if (file !== undefined && typeof text === 'object' && known === undefined)
    return { handoff: undefined, verification: unknownDocument(project, file, text.toString()) };
  const isUnknown =
    known === undefined && asked === undefined && !handoffsHere(project, cwd).length;
  const foreign = isUnknown ? foreignCommit(project, tree) : undefined;
  if (foreign !== undefined) return { handoff: undefined, verification: foreign };
  const handoff = known ?? findHandoff(project, cwd, asked);
  const document = known === undefined ? undefined : text?.toString();
  return { handoff, verification: verifyHandoff(project, handoff, document) };
}

const fileIn = (tree: Tree, asked: string): string | undefined =>
  asked.endsWith('.md') ? (tree.nameOf(asked) ?? undefined) : undefined;

const idIn = (text: string): string | undefined =>
  /^handoff_id: "([0-9a-f]{1,64})"$/m.exec(text)?.[1];

/** A document that is newer than all that the journal knows of. */
function unknownIn(project: Project, tree: Tree, cwd: string | undefined): string | undefined {
  const [newest] = handoffsHere(project, cwd);
  const file = namesIn(path.join(tree.dir, HANDOFFS_DIR)).at(-1);
  if (file === undefined || (newest !== undefined && nameOf(newest) >= file)) return undefined;
  return `${HANDOFFS_DIR}/${file}.md`;
}

const DOCUMENT = /^(\d{4}-\d\d-\d\d-\d{4}(?:-\d+)?)\.md$/;

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .flatMap((name) => DOCUMENT.exec(name)?.[1] ?? [])
      .sort();
  } catch {
    return [];
  }
}
