import {
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import path from 'node:path';
import type { RedactionOptions } from '../capture/redaction/index.ts';
import type { WipCommitted } from '../events/types.ts';
import { type Changes, changesIn, type Refuse } from './changes.ts';
import { NotDone, type Repository, repositoryAt } from './repository.ts';
import { type Built, buildCommit } from './wip-tree.ts';

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
  const { checkpoint, redaction } = asked;
  const repository = repositoryAt(dir, left);
  const index = path.join(repository.gitDir, `ben10-wip-${checkpoint}`);
  settle(repository, index, checkpoint);
  const earlier = findWip(repository, checkpoint);
  if (earlier !== undefined) return earlier;
  const changes = changesIn(repository, asked.refuse);
  if (changes.taken.length === 0 && !changes.isStaged) return undefined;
  try {
    const before = copyIndex(repository.index, index);
    const { subject, seq, chain } = asked;
    const message = `${subject}\n\n${TRAILER}: ${checkpoint} @${seq} ${chain}\n`;
    const built = buildCommit(repository, changes, { index, message, redaction });
    if (built === undefined) return undefined;
    const { head, branch } = changes;
    const done = { checkpoint, ...built, ...(head !== undefined && { parent: head }) };
    const mayMove = asked.mode === 'branch' && mayMoveTo(repository, changes);
    if (mayMove && moveBranch(repository, [head!, built.commit], index, before))
      return { ...done, ref: `refs/heads/${branch}`, mode: 'branch' };
    return { ...done, ref: refFor(repository, changes, built), mode: 'ref' };
  } finally {
    rmSync(index, { force: true });
  }
}

/** Git compares its time with those of files that changed right before it was written. @returns undefined if there is none */
function copyIndex(from: string, to: string): Buffer | undefined {
  const stat = statSync(from, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  copyFileSync(from, to);
  utimesSync(to, stat.atimeMs / 1000, Math.floor(stat.mtimeMs / 1000));
  return readFileSync(to);
}

/** Where git keeps what it has begun, in the worktree's folder. */
const HALF_DONE =
  'MERGE_HEAD CHERRY_PICK_HEAD REVERT_HEAD BISECT_LOG rebase-merge rebase-apply sequencer';

const isHalfDone = ({ gitDir }: Repository): boolean =>
  HALF_DONE.split(' ').some((name) => existsSync(path.join(gitDir, name)));

function mayMoveTo(repository: Repository, changes: Changes): boolean {
  const { head, branch, isStaged, isFiltered } = changes;
  if (head === undefined || branch === undefined || isStaged || isFiltered) return false;
  return !isHalfDone(repository) && !isPublished(repository, changes);
}

/** Whether it is the branch that the others build on. */
function isPublished({ git, tryGit }: Repository, { branch, upstream }: Changes): boolean {
  if (upstream === undefined) return false;
  const heads = git(['for-each-ref', '--format=%(symref)', 'refs/remotes/*/HEAD']).split('\n');
  const own = tryGit(['config', 'init.defaultBranch'])?.trim();
  return heads.includes(`refs/remotes/${upstream}`) || [own, 'main', 'master'].includes(branch);
}

/**
 * Under git's own lock.
 * @param index of our own, to become the repository's, which was as `before` when it was copied
 * @returns false if somebody else changed something meanwhile: then nothing has changed
 */
function moveBranch(
  repository: Repository,
  [from, to]: readonly [string, string],
  index: string,
  before: Buffer | undefined,
): boolean {
  const lock = `${repository.index}.lock`;
  try {
    // One file with two names: should this process be killed, `settle` knows that the lock is ours.
    linkSync(index, lock);
  } catch {
    return false;
  }
  const moved = ['update-ref', '-m', 'ben10: checkpoint', 'HEAD', to, from];
  const isSame = before !== undefined && readFileSync(repository.index).equals(before);
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

const COMMITS_SEARCHED = 50;

/** What was committed for a checkpoint, by its trailer. */
function findWip({ git, tryGit }: Repository, checkpoint: string): WipCommitted | undefined {
  const format = `--format=%S %H %T %P%n%(trailers:key=${TRAILER},valueonly)%x00`;
  const newest = ['log', '--no-show-signature', `-${COMMITS_SEARCHED}`, '--ignore-missing'];
  const log = tryGit([...newest, format, 'HEAD', `--glob=${REFS}`]) ?? '';
  const found = log.split('\0').find((one) => one.includes(`\n${checkpoint} @`));
  if (found === undefined) return undefined;
  const [from = '', commit = '', tree = '', parent = ''] = found.trim().split(/\s/);
  const isBranch = from === 'HEAD';
  const ref = isBranch ? (tryGit(['symbolic-ref', 'HEAD'])?.trim() ?? from) : from;
  const at = ['diff-tree', '-r', '-z', '--no-renames', '--name-only', '--root', '--no-commit-id'];
  const files = git([...at, commit]).split('\0').length - 1;
  const mode = isBranch ? 'branch' : 'ref';
  const done = { checkpoint, commit, tree, ref, mode, files } as const;
  return { ...done, leftOut: [], ...(parent !== '' && { parent }) };
}

/** Takes a commit back while it is the newest and nobody else has it; working tree and index stay. @throws NotDone */
export function undoWip(
  dir: string,
  { commit, mode, ref }: Pick<WipCommitted, 'commit' | 'mode' | 'ref'>,
  left: () => number,
): void {
  const repository = repositoryAt(dir, left);
  const { git, tryGit } = repository;
  if (mode === 'ref') throw new NotDone('no branch was moved');
  if (tryGit(['rev-parse', 'HEAD'])?.trim() !== commit)
    throw new NotDone('it is not HEAD any more');
  // Another branch may begin at the same commit, and is nobody's to move.
  if ((tryGit(['symbolic-ref', '-q', 'HEAD'])?.trim() ?? 'HEAD') !== ref)
    throw new NotDone(`it was made on ${ref}, which is not checked out`);
  if (isHalfDone(repository)) throw new NotDone('git has something else half done');
  const remote = ['for-each-ref', '--count=1', `--contains=${commit}`, 'refs/remotes'];
  if (git(remote) !== '') throw new NotDone('it was pushed');
  git(['update-ref', '-m', 'ben10: checkpoint taken back', 'HEAD', `${commit}^`, commit]);
}
