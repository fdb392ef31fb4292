import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { RedactionOptions } from '../capture/redaction/index.ts';
import { holdsSecret } from '../scan/scan-files.ts';
import { type Change, type Changes, type LeftOut, shown } from './changes.ts';
import { NotDone, type Repository } from './repository.ts';

export interface Built {
  commit: string;
  tree: string;
  files: number;
  leftOut: LeftOut[];
}

interface Wanted {
  /** Of our own, and holding HEAD's files. */
  index: string;
  message(leftOut: readonly LeftOut[]): string;
  redaction: RedactionOptions;
}

/**
 * Commits the changes, but moves no branch. A secret never comes into the repository: new objects lie apart until they are searched.
 * @returns undefined if nothing is to be committed @throws NotDone
 */
export function buildCommit(
  repository: Repository,
  { head, taken, leftOut }: Pick<Changes, 'head' | 'taken' | 'leftOut'>,
  wanted: Wanted,
): Built | undefined {
  const { objects } = repository;
  // `git prune` knows folders of this name, should this process be killed.
  const apart = path.join(objects, `tmp_objdir-${path.basename(wanted.index)}`);
  // Of a process that was killed.
  rmSync(apart, { recursive: true, force: true });
  mkdirSync(apart);
  const env = {
    GIT_INDEX_FILE: wanted.index,
    GIT_OBJECT_DIRECTORY: apart,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(objects),
  };
  const git = (args: readonly string[], input?: string): string =>
    repository.git(args, { env, ...(input !== undefined && { input }) });
  try {
    const kept = filtered(repository, taken);
    const required = { why: 'a filter of the repository is required' };
    const left = [
      ...leftOut,
      ...kept.refused.map((one) => ({ path: shown(one.path), ...required })),
    ];
    addTo(git, kept.taken);
    const news = newIn(git, head);
    const secret = new Set(secretsIn(git, news, wanted.redaction, repository.left));
    setEntries(
      git,
      news.filter((one) => secret.has(one)).map((one) => [one.path, one.before]),
    );
    for (const one of secret) left.push({ path: shown(one.path), why: 'a secret is in it' });
    const files = news.length - secret.size;
    if (files === 0) return undefined;
    const tree = git(['write-tree']).trim();
    const commit = commitOf(repository, env, [tree, ...(head === undefined ? [] : ['-p', head])], {
      message: wanted.message(left),
    });
    const pack = git(
      ['pack-objects', '--revs', '--stdout', '-q'],
      `${commit}\n${head === undefined ? '' : `^${head}\n`}`,
    );
    repository.git(['unpack-objects', '-q'], { input: pack });
    return { commit, tree, files, leftOut: left };
  } finally {
    rmSync(apart, { recursive: true, force: true });
  }
}

type Git = (args: readonly string[], input?: string) => string;

/** The user's name, else ours; never signed. */
function commitOf(
  repository: Repository,
  env: Readonly<Record<string, string>>,
  args: readonly string[],
  { message }: { message: string },
): string {
  const commit = ['commit-tree', '--no-gpg-sign', ...args];
  const more = { env, input: Buffer.from(message).toString('latin1') };
  const own = ['name=ben10', 'email=ben10@localhost'].flatMap((one) => ['-c', `user.${one}`]);
  return (repository.tryGit(commit, more) ?? repository.git([...own, ...commit], more)).trim();
}

/** Without a filter that must run, a file's content is not what belongs into the repository. */
function filtered({ filters, git, tryGit }: Repository, taken: readonly Change[]) {
  if (filters.length === 0) return { taken, refused: [] };
  const required = new Set(
    filters.filter((name) => {
      // What stands on the command line comes last.
      const all = tryGit(['config', '--type=bool', '--get-all', `filter.${name}.required`]);
      return all?.split('\n').at(-3) === 'true';
    }),
  );
  const under = filterOf(git, taken);
  const isRefused = (one: Change) => !one.isGone && required.has(under.get(one.path) ?? '');
  return { taken: taken.filter((one) => !isRefused(one)), refused: taken.filter(isRefused) };
}

/** The filters of files by their paths. */
export function filterOf(git: Repository['git'], changes: readonly Change[]): Map<string, string> {
  const input = changes.map((one) => `${one.path}\0`).join('');
  const fields = git(['check-attr', '-z', '--stdin', 'filter'], { input }).split('\0');
  return new Map(
    fields.flatMap((one, at): [string, string][] =>
      at % 3 === 0 && fields[at + 2] !== undefined ? [[one, fields[at + 2]!]] : [],
    ),
  );
}

/** Removals first: a folder may stand where a file was. */
function addTo(git: Git, taken: readonly Change[]): void {
  const staged = taken.flatMap((one): [string, string][] =>
    one.staged === undefined ? [] : [[one.path, one.staged]],
  );
  setEntries(git, staged);
  for (const isGone of [true, false]) {
    const some = taken.filter((one) => one.staged === undefined && one.isGone === isGone);
    const input = some.map((one) => `${one.path}\0`).join('');
    if (some.length > 0) git(['update-index', '--add', '--remove', '-z', '--stdin'], input);
  }
}

/** @param entries paths, each with its `<mode> <object>`; a mode of zeros removes */
function setEntries(git: Git, entries: readonly (readonly [string, string])[]): void {
  const gone = entries.map(([name, entry]) => `0 ${entry.split(' ')[1]}\t${name}\0`);
  const there = entries.flatMap(([name, entry]) =>
    /^0+ /.test(entry) ? [] : `${entry}\t${name}\0`,
  );
  if (entries.length > 0) git(['update-index', '-z', '--index-info'], [...gone, ...there].join(''));
}

interface New {
  path: string;
  /** `<mode> <object>`, of zeros where there was none. */
  before: string;
  /** Undefined for what is no file or link. */
  blob: string | undefined;
}

/** How the index differs from HEAD. */
function newIn(git: Git, head: string | undefined): New[] {
  if (head === undefined) {
    return git(['ls-files', '--stage', '-z'])
      .split('\0')
      .flatMap((line) => {
        const [, mode, blob, name] = /^(\d+) (\S+) 0\t(.*)$/s.exec(line) ?? [];
        if (name === undefined) return [];
        const before = `000000 ${'0'.repeat(blob!.length)}`;
        return { path: name, before, blob: mode === '160000' ? undefined : blob };
      });
  }
  const fields = git(['diff-index', '--cached', '--no-renames', '-r', '-z', head]).split('\0');
  return fields.flatMap((line, at) => {
    const [, was, now, from, to] = /^:(\d+) (\d+) (\S+) (\S+) \w$/.exec(line) ?? [];
    if (to === undefined || at % 2 === 1) return [];
    const isBlob = now !== '160000' && now !== '000000';
    return { path: fields[at + 1]!, before: `${was} ${from}`, blob: isBlob ? to : undefined };
  });
}

function* secretsIn(
  git: Git,
  news: readonly New[],
  redaction: RedactionOptions,
  left: () => number,
): Generator<New> {
  const asked = news.filter(({ blob }) => blob !== undefined);
  if (asked.length === 0) return;
  const input = asked.map(({ blob }) => `${blob}\n`).join('');
  const all = git(['cat-file', '--batch'], input);
  let at = 0;
  for (const one of asked) {
    const end = all.indexOf('\n', at);
    const size = Number(/ blob (\d+)$/.exec(all.slice(at, end))?.[1]);
    if (!Number.isSafeInteger(size)) throw new NotDone('git answered something else');
    const content = all.slice(end + 1, end + 1 + size);
    if (left() <= 0) throw new NotDone('the search for secrets took too long', true);
    if (holdsSecret(Buffer.from(content, 'latin1'), redaction)) yield one;
    at = end + size + 2;
  }
}
