import {
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
} from 'node:fs';
import path from 'node:path';
import type { RedactionOptions } from '../capture/redaction/index.ts';
import type { WipCommitted } from '../events/types.ts';
import { type Changes, changesIn, type Refuse } from './changes.ts';
import { NotDone, type Repository, repositoryAt } from './repository.ts';
import { type Built, buildCommit, filterOf } from './wip-tree.ts';

const REFS = 'refs/ben10/wip';
const TRAILER = 'Ben10-Checkpoint';

interface Asked {
  checkpoint: string;
  /** Of its beginning in the journal. */
  seq: number;
  chain: string;
  mode: 'branch' | 'ref';
  /** First line of the commit's message. */
  subject: string;
  redaction: RedactionOptions;
  refuse: Refuse;
}

/**
 * Commits the work in progress where it disturbs nobody: on the branch if nothing there is half done or published, else on a ref of
 * our own, and then neither index nor HEAD changes. What an earlier process did for this checkpoint is finished or found.
 * @param left milliseconds
 * @throws NotDone, with the reason
 */
export function commitWip(dir: string, asked: Asked, left: () => number): WipCommitted | undefined {
  const repository = repositoryAt(dir, left);
  const index = path.join(repository.gitDir, `ben10-wip-${asked.checkpoint}`);
  settle(repository, index, asked.checkpoint);
  const earlier = findWip(repository, asked.checkpoint);
  if (earlier !== undefined) return { ...earlier, leftOut: [] };
  const changes = changesIn(repository, asked.refuse);
  if (changes.taken.length === 0) return undefined;
  const onBranch = asked.mode === 'branch' && mayMove(repository, changes);
  try {
    const before = onBranch ? readFileSync(repository.index) : undefined;
    if (before !== undefined) copyIndex(repository.index, index);
    else if (changes.head !== undefined)
      repository.git(['read-tree', changes.head], { env: { GIT_INDEX_FILE: index } });
    const message = messageOf(asked);
    const built = buildCommit(repository, changes, {
      index,
      message: () => message,
      redaction: asked.redaction,
    });
    if (built === undefined) return undefined;
    const { checkpoint } = asked;
    const leftOut = built.leftOut.filter(({ why }) => why !== '');
    const parent = changes.head === undefined ? {} : { parent: changes.head };
    const done = { checkpoint, ...built, ...parent, leftOut };
    if (before !== undefined && moveBranch(repository, changes, { index, before, built }))
      return { ...done, ref: `refs/heads/${changes.branch}`, mode: 'branch' };
    return { ...done, ref: refFor(repository, changes, built), mode: 'ref' };
  } finally {
    rmSync(index, { force: true });
  }
}

/** Git compares its time with those of files that changed right before it was written. */
function copyIndex(from: string, to: string): void {
  const { atimeMs, mtimeMs } = lstatSync(from);
  copyFileSync(from, to);
  utimesSync(to, atimeMs / 1000, Math.floor(mtimeMs / 1000));
}

const messageOf = ({ subject, checkpoint, seq, chain }: Asked): string =>
  `${subject}\n\n${TRAILER}: ${checkpoint} @${seq} ${chain}\n`;

/** Where git keeps what it has begun, in the worktree's folder. */
const HALF_DONE = [
  'MERGE_HEAD',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'BISECT_LOG',
  'rebase-merge',
  'rebase-apply',
  'sequencer',
];

const isHalfDone = ({ gitDir }: Repository): boolean =>
  HALF_DONE.some((name) => existsSync(path.join(gitDir, name)));

function mayMove(repository: Repository, changes: Changes): boolean {
  const { head, branch, isStaged, taken } = changes;
  const { filters, index, git } = repository;
  if (head === undefined || branch === undefined || isStaged || isHalfDone(repository))
    return false;
  if (lstatSync(index, { throwIfNoEntry: false })?.isFile() !== true) return false;
  if (existsSync(`${index}.lock`) || isPublished(repository, changes)) return false;
  if (filters.length === 0) return true;
  const under = filterOf(git, taken);
  return !taken.some((one) => filters.includes(under.get(one.path) ?? ''));
}

/** Whether it is the branch that the others build on. */
function isPublished({ git, tryGit }: Repository, { branch, upstream }: Changes): boolean {
  if (upstream === undefined) return false;
  const heads = git(['for-each-ref', '--format=%(symref)', 'refs/remotes/*/HEAD']).split('\n');
  if (heads.includes(`refs/remotes/${upstream}`)) return true;
  const own = tryGit(['config', 'init.defaultBranch'])?.trim();
  const isNamed = heads.some((one) => one.startsWith(`refs/remotes/${upstream.split('/')[0]}/`));
  return !isNamed && [own, 'main', 'master'].includes(branch);
}

interface Moving {
  /** Of our own, to become the repository's. */
  index: string;
  /** The repository's, as ours was made of it. */
  before: Buffer;
  built: Built;
}

/** Under git's own lock. @returns false if somebody else changed something meanwhile: then nothing has changed */
function moveBranch(
  repository: Repository,
  { head }: Changes,
  { index, before, built }: Moving,
): boolean {
  const lock = `${repository.index}.lock`;
  try {
    // One file with two names: should this process be killed, `settle` knows that the lock is ours.
    linkSync(index, lock);
  } catch {
    return false;
  }
  const moved = ['update-ref', '-m', 'ben10: checkpoint', 'HEAD', built.commit, head!];
  const isSame = readFileSync(repository.index).equals(before);
  if (!isSame || repository.tryGit(moved) === undefined) {
    rmSync(lock);
    return false;
  }
  renameSync(lock, repository.index);
  return true;
}

/** Finishes what a killed process left under git's lock, or takes it back. */
function settle(repository: Repository, index: string, checkpoint: string): void {
  const lock = `${repository.index}.lock`;
  const [ours, held] = [index, lock].map((one) => lstatSync(one, { throwIfNoEntry: false }));
  if (ours === undefined) return;
  if (held?.ino === ours.ino) {
    const isMoved = findWip(repository, checkpoint)?.mode === 'branch';
    if (isMoved) renameSync(lock, repository.index);
    else rmSync(lock);
  }
  rmSync(index, { force: true });
}

function refFor(repository: Repository, { head, branch }: Changes, { commit }: Built): string {
  const name = `${REFS}/${branch ?? head}`;
  const taken = repository.git(['for-each-ref', '--format=%(refname)', name]).split('\n');
  const numbers = taken.map((one) => Number(one.slice(name.length + 1))).filter(Number.isInteger);
  const ref = `${name}/${Math.max(0, ...numbers) + 1}`;
  // It must not be there.
  repository.git(['update-ref', ref, commit, '']);
  return ref;
}

const COMMITS_SEARCHED = 20;

/** What was committed for a checkpoint, by its trailer. */
function findWip(
  { git, tryGit }: Repository,
  checkpoint: string,
): Omit<WipCommitted, 'leftOut'> | undefined {
  const refs = git([
    'for-each-ref',
    '--format=%(refname) %(objectname) %(tree) %(parent)%0a%(contents)%00',
    REFS,
  ]);
  const format = '--format=HEAD %H %T %P%n%B%x00';
  const log = tryGit(['log', '--no-show-signature', `-${COMMITS_SEARCHED}`, format, 'HEAD']) ?? '';
  for (const one of `${refs}\0${log}`.split('\0')) {
    const [ref = '', commit = '', tree = '', parent = ''] = one
      .trimStart()
      .split('\n')[0]!
      .split(' ');
    if (!new RegExp(`^${TRAILER}: ${checkpoint} @`, 'm').test(one)) continue;
    const isBranch = ref === 'HEAD';
    const branch = isBranch ? tryGit(['symbolic-ref', 'HEAD'])?.trim() : undefined;
    const at = ['diff-tree', '-r', '-z', '--no-renames', '--name-only', '--root', '--no-commit-id'];
    const files = git([...at, commit]).split('\0').length - 1;
    return {
      checkpoint,
      commit,
      tree,
      ...(parent !== '' && { parent }),
      ref: isBranch ? (branch ?? 'HEAD') : ref,
      mode: isBranch ? 'branch' : 'ref',
      files,
    };
  }
  return undefined;
}

/** Takes a commit back while it is the newest and nobody else has it; working tree and index stay. @throws NotDone */
export function undoWip(
  dir: string,
  { commit, parent, mode, ref }: WipCommitted,
  left: () => number,
): void {
  const repository = repositoryAt(dir, left);
  const { git, tryGit } = repository;
  if (mode === 'ref' || parent === undefined) throw new NotDone('no branch was moved');
  if (tryGit(['rev-parse', 'HEAD'])?.trim() !== commit)
    throw new NotDone('it is not HEAD any more');
  // Another branch may begin at the same commit, and is nobody's to move.
  if ((tryGit(['symbolic-ref', '-q', 'HEAD'])?.trim() ?? 'HEAD') !== ref)
    throw new NotDone(`it was made on ${ref}, which is not checked out`);
  if (isHalfDone(repository)) throw new NotDone('git has something else half done');
  const remote = ['for-each-ref', '--count=1', `--contains=${commit}`, 'refs/remotes'];
  if (git(remote) !== '') throw new NotDone('it was pushed');
  git(['update-ref', '-m', 'ben10: checkpoint taken back', 'HEAD', parent, commit]);
}
