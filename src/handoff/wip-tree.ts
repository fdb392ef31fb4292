import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { RedactionOptions } from '../capture/redaction/index.ts';
import type { WipCommitted } from '../events/types.ts';
import { holdsSecret } from '../scan/scan-files.ts';
import { type Changes, shown } from './changes.ts';
import { NotDone, type Repository } from './repository.ts';

export type Built = Pick<WipCommitted, 'commit' | 'tree' | 'files' | 'leftOut'>;

interface Wanted {
  /** Of our own, and as the repository's is. */
  index: string;
  message: string;
  redaction: RedactionOptions;
}

/**
 * Commits the changes, but moves no branch. A secret never comes into the repository: new objects lie apart until they are searched.
 * @returns undefined if nothing is to be committed @throws NotDone
 */
export function buildCommit(
  repository: Repository,
  { head, taken, leftOut }: Pick<Changes, 'head' | 'taken' | 'leftOut'>,
  { index, message, redaction }: Wanted,
): Built | undefined {
  const { objects } = repository;
  // `git prune` knows folders of this name, should this process be killed.
  const apart = path.join(objects, `tmp_objdir-${path.basename(index)}`);
  // Of a process that was killed.
  rmSync(apart, { recursive: true, force: true });
  mkdirSync(apart);
  const env = {
    GIT_INDEX_FILE: index,
    GIT_OBJECT_DIRECTORY: apart,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(objects),
  };
  const git: Git = (args, input = '') => repository.git(args, { env, input });
  try {
    // What is gone comes first, so a folder may stand where a file was.
    git(['update-index', '--add', '--remove', '-z', '--stdin'], listed(taken));
    const all = differing(git, head);
    const out = new Map(leftOut);
    const kept = () => all.filter(({ path: name }) => !out.has(name));
    for (const { path: name } of secretsIn(git, kept(), redaction, repository.left))
      out.set(name, 'a secret is in it');
    takeBack(
      git,
      all.filter(({ path: name }) => out.has(name)),
    );
    if (kept().length === 0) return undefined;
    const tree = git(['write-tree']).trim();
    const parent = head === undefined ? [] : ['-p', head];
    const commit = commitOf(repository, env, [tree, ...parent], message);
    const range = `${commit}\n${head === undefined ? '' : `^${head}\n`}`;
    const pack = git(['pack-objects', '--revs', '--stdout', '-q'], range);
    repository.git(['unpack-objects', '-q'], { input: pack });
    const told = [...out].flatMap(([name, why]) => (why === '' ? [] : { path: shown(name), why }));
    return { commit, tree, files: kept().length, leftOut: told };
  } finally {
    rmSync(apart, { recursive: true, force: true });
  }
}

type Git = (args: readonly string[], input?: string) => string;

const listed = (all: readonly string[]): string => all.map((one) => `${one}\0`).join('');

/** The user's name, else ours; never signed. */
function commitOf(
  repository: Repository,
  env: Readonly<Record<string, string>>,
  args: readonly string[],
  message: string,
): string {
  const commit = ['commit-tree', '--no-gpg-sign', ...args];
  const more = { env, input: Buffer.from(message).toString('latin1') };
  const own = ['name=ben10', 'email=ben10@localhost'].flatMap((one) => ['-c', `user.${one}`]);
  return (repository.tryGit(commit, more) ?? repository.git([...own, ...commit], more)).trim();
}

interface Differing {
  path: string;
  /** `<mode> <object>` at HEAD, of zeros where there was none. */
  before: string;
  /** Undefined for what is no file or link. */
  blob: string | undefined;
}

/** How the index differs from HEAD. */
function differing(git: Git, head: string | undefined): Differing[] {
  const base = head ?? git(['hash-object', '-t', 'tree', '--stdin']).trim();
  const fields = git(['diff-index', '--cached', '--no-renames', '-r', '-z', base]).split('\0');
  return fields.flatMap((name, at) => {
    if (at % 2 === 0) return [];
    const [was, now = '', from, blob] = fields[at - 1]!.slice(1).split(' ');
    return { path: name, before: `${was} ${from}`, blob: /^1[02]/.test(now) ? blob : undefined };
  });
}

/** Makes them as they were at HEAD. */
function takeBack(git: Git, all: readonly Differing[]): void {
  const gone = all.map(({ path: name, before }) => `0 ${before.split(' ')[1]}\t${name}`);
  const there = all.filter(({ before }) => !before.startsWith('000000'));
  const anew = there.map(({ path: name, before }) => `${before}\t${name}`);
  git(['update-index', '-z', '--index-info'], listed([...gone, ...anew]));
}

function secretsIn(
  git: Git,
  all: readonly Differing[],
  redaction: RedactionOptions,
  left: () => number,
): Differing[] {
  const found: Differing[] = [];
  const asked = all.filter(({ blob }) => blob !== undefined);
  const contents = git(['cat-file', '--batch'], asked.map(({ blob }) => `${blob}\n`).join(''));
  let at = 0;
  for (const one of asked) {
    const from = contents.indexOf('\n', at) + 1;
    const size = Number(/ blob (\d+)$/.exec(contents.slice(at, from - 1))?.[1]);
    if (!Number.isSafeInteger(size)) throw new NotDone('git answered something else');
    if (left() <= 0) throw new NotDone('the search for secrets took too long', true);
    const content = Buffer.from(contents.slice(from, from + size), 'latin1');
    if (holdsSecret(content, redaction)) found.push(one);
    at = from + size + 1;
  }
  return found;
}
