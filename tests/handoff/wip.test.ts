import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { compileRedaction } from '../../src/capture/redaction/index.ts';
import { NotDone } from '../../src/handoff/repository.ts';
import { commitWip, undoWip } from '../../src/handoff/wip.ts';
import { EXCLUDED_BY_DEFAULT, excludedBy } from '../../src/platform/exclude.ts';
import { within } from '../../src/platform/programs/run-now.ts';
import { describer } from '../../src/scan/finding.ts';
import { scanPath } from '../../src/scan/scan-files.ts';
import { GIT_ENV, repository, writeIn } from '../packs/repository.ts';
import { scratch } from '../support.ts';
import {
  bytesOf,
  git,
  type RandomRepository,
  randomRepository,
  tryGit,
} from './random-repository.ts';

const { options: redaction } = compileRedaction();
const CHECKPOINT = '0123456789abcdef';
const ASKED = {
  checkpoint: CHECKPOINT,
  seq: 12,
  chain: 'ab'.repeat(32),
  mode: 'branch' as const,
  subject: '[WIP] ANV-123 - checkpoint',
  redaction,
};

beforeEach(() => {
  for (const [name, value] of Object.entries(GIT_ENV)) vi.stubEnv(name, value);
});

const refuseIn = () => (file: string) => {
  if (/(?:^|\/)\.ben10(?:\/|$)|^\.claude\/checkpoint-state\.json$/.test(file)) return '';
  return excludedBy(EXCLUDED_BY_DEFAULT, '/', file) && 'excluded';
};

const commit = (dir: string) => commitWip(dir, { ...ASKED, refuse: refuseIn() }, within(60_000));

const hasSecret = (content: string): boolean => {
  const file = path.join(scratch(), 'x');
  writeFileSync(file, content, 'latin1');
  return [...scanPath(file, '/', redaction, describer())].some((one) => 'rule' in one);
};

const objectsOf = (dir: string): Set<string> =>
  new Set(
    git(dir, ['cat-file', '--batch-all-objects', '--batch-check', '--unordered']).split('\n'),
  );

/** The tree that somebody makes with git's own commands, knowing what must stay out. */
function treeByHand({ dir, out }: RandomRepository): string {
  const index = path.join(scratch(), 'index');
  const apart = path.join(scratch(), 'objects');
  mkdirSync(apart);
  const objects = path.resolve(dir, git(dir, ['rev-parse', '--git-path', 'objects']).trim());
  const env = {
    GIT_INDEX_FILE: index,
    GIT_OBJECT_DIRECTORY: apart,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: objects,
  };
  const own = path.resolve(dir, git(dir, ['rev-parse', '--git-path', 'index']).trim());
  if (existsSync(own)) cpSync(own, index, { preserveTimestamps: true });
  for (const one of readdirSync(path.dirname(own)).filter((name) => name.startsWith('sharedindex')))
    cpSync(path.join(path.dirname(own), one), path.join(path.dirname(index), one));
  const plain = [
    'core.fsmonitor=false',
    'core.hooksPath=/dev/null',
    'core.safecrlf=false',
    'filter.own.clean=',
    'filter.own.required=false',
  ];
  const hand = (...args: string[]) =>
    git(dir, [...plain.flatMap((one) => ['-c', one]), ...args], env);
  const head = tryGit(dir, ['rev-parse', 'HEAD^{tree}'])?.trim();
  hand('add', '-A', '.');
  const restore = (name: string) => {
    if (head !== undefined) hand('reset', '-q', 'HEAD', '--', `:(literal)${name}`);
    else hand('rm', '-r', '-f', '-q', '--cached', '--ignore-unmatch', '--', `:(literal)${name}`);
  };
  for (const name of out) {
    if (!name.startsWith('?')) restore(name);
    // A later step may have written over the secret.
    else if (
      bytesOf(path.join(dir, name.slice(1))) !== undefined &&
      hasSecret(bytesOf(path.join(dir, name.slice(1)))!)
    )
      restore(name.slice(1));
  }
  return hand('write-tree').trim();
}

const indexOf = (dir: string) =>
  bytesOf(path.resolve(dir, git(dir, ['rev-parse', '--git-path', 'index']).trim()));
const quiet = [
  '-c',
  'core.fsmonitor=false',
  '-c',
  'filter.own.clean=',
  '-c',
  'filter.own.required=false',
];
const statusOf = (dir: string) =>
  tryGit(dir, [...quiet, 'status', '--porcelain=v1', '-z', '-uall'], { GIT_OPTIONAL_LOCKS: '0' });

function checkState(seed: number): 'branch' | 'ref' | 'nothing' {
  const made = randomRepository(seed);
  const { dir, story, marker } = made;
  const about = story.join(', ');
  const wanted = treeByHand(made);
  const [index, status, objects] = [indexOf(dir), statusOf(dir), objectsOf(dir)];
  const refs = git(dir, ['for-each-ref', 'refs/heads']);
  const head = tryGit(dir, ['rev-parse', 'HEAD'])?.trim();
  const symbolic = tryGit(dir, ['symbolic-ref', '-q', 'HEAD']);
  const headTree = tryGit(dir, ['rev-parse', 'HEAD^{tree}'])?.trim();
  const isRan = existsSync(marker);
  const done = commit(dir);
  // Nothing of the repository was run, and nothing is left behind.
  if (!isRan) expect(existsSync(marker), about).toBe(false);
  const gitDir = git(dir, ['rev-parse', '--absolute-git-dir']).trim();
  expect(
    readdirSync(gitDir).filter((name) => /ben10/.test(name)),
    about,
  ).toEqual([]);
  expect(existsSync(path.join(gitDir, 'index.lock')), about).toBe(story.includes('index.lock'));
  expect(tryGit(dir, ['symbolic-ref', '-q', 'HEAD']), about).toBe(symbolic);
  for (const line of objectsOf(dir)) {
    const [object = '', kind] = line.split(' ');
    if (kind !== 'blob' || objects.has(line)) continue;
    expect(hasSecret(git(dir, ['cat-file', 'blob', object])), `${about}: ${object}`).toBe(false);
  }
  if (done === undefined) {
    expect(wanted, about).toBe(headTree ?? git(dir, ['mktree'], {}).trim());
    expect([indexOf(dir), statusOf(dir), git(dir, ['for-each-ref', 'refs/heads'])], about).toEqual([
      index,
      status,
      refs,
    ]);
    return 'nothing';
  }
  expect(done.tree, about).toBe(wanted);
  expect(done.mode, about).toBe(made.mode);
  expect(git(dir, ['rev-parse', `${done.commit}^{tree}`]).trim(), about).toBe(wanted);
  expect(
    git(dir, ['log', '-1', '--no-show-signature', '--format=%P', done.commit]).trim(),
    about,
  ).toBe(head ?? '');
  expect(git(dir, ['rev-parse', done.ref]).trim(), about).toBe(done.commit);
  expect(git(dir, ['log', '-1', '--no-show-signature', '--format=%B', done.commit]), about).toBe(
    `[WIP] ANV-123 - checkpoint\n\nBen10-Checkpoint: ${CHECKPOINT} @12 ${ASKED.chain}\n\n`,
  );
  if (done.mode === 'ref') {
    expect(indexOf(dir), about).toBe(index);
    expect([statusOf(dir), git(dir, ['for-each-ref', 'refs/heads'])], about).toEqual([
      status,
      refs,
    ]);
    return 'ref';
  }
  expect(git(dir, ['rev-parse', 'HEAD']).trim(), about).toBe(done.commit);
  expect(git(dir, ['write-tree']).trim(), about).toBe(wanted);
  // What is left is what was left out.
  const left = (statusOf(dir) ?? '')
    .split('\0')
    .slice(0, -1)
    .map((line) => line.slice(3).replace(/\/$/, ''));
  const told = new Set(done.leftOut.map((one) => one.path.replace(/\/$/, '')));
  const isOurs = (name: string) => /^\.ben10|^\.claude|^mod$/.test(name);
  expect(
    left.filter((name) => !isOurs(name) && !told.has(Buffer.from(name, 'latin1').toString())),
    about,
  ).toEqual([]);
  return 'branch';
}

const SEED = Number(process.env.BEN10_SEED ?? 1) * 10_000;

/** Puts a program in git's place: it runs `script` with `$REAL` as git, and git's arguments. */
function instead(script: string): void {
  const bin = scratch();
  const real = path.join(bin, 'real');
  const found = (GIT_ENV.PATH ?? '').split(':').find((dir) => existsSync(path.join(dir, 'git')));
  writeFileSync(real, `#!/bin/sh\nexec '${found}/git' "$@"\n`, { mode: 0o755 });
  writeFileSync(path.join(bin, 'git'), `#!/bin/sh\nREAL='${real}'\n${script}\n`, { mode: 0o755 });
  vi.stubEnv('PATH', `${bin}:${GIT_ENV.PATH}`);
}

function changed(): string {
  const dir = repository({ 'a.txt': 'a\n' });
  git(dir, ['checkout', '-q', '-b', 'work']);
  writeIn(dir, { 'a.txt': 'b\n' });
  return dir;
}

const headOf = (dir: string): string => git(dir, ['rev-parse', 'HEAD']).trim();

/** How many repositories ended in each way, and what was wrong. */
function checkStates(from: number, count: number) {
  const ways = { branch: 0, ref: 0, nothing: 0 };
  const wrong: string[] = [];
  for (let n = from; n < from + count; n += 1) {
    try {
      ways[checkState(SEED + n)] += 1;
    } catch (error) {
      wrong.push(`${SEED + n}: ${(error as Error).message}`);
    }
  }
  return { ...ways, wrong };
}

/** 500 states take three minutes. */
const IS_WHOLE = process.env.BEN10_WHOLE === '1';

describe('a commit of work in progress', () => {
  it('is the tree that one makes by hand, and index and HEAD are as promised', {
    timeout: 120_000,
  }, () => {
    const { branch, ref, wrong } = checkStates(0, 4);
    expect(wrong).toEqual([]);
    expect(branch + ref).toBeGreaterThan(0);
  });

  it('is so in many states of a repository', { tags: 'long', timeout: 900_000 }, () => {
    const { branch, ref, nothing, wrong } = checkStates(100, IS_WHOLE ? 500 : 60);
    expect(wrong).toEqual([]);
    expect(Math.min(branch, ref, nothing)).toBeGreaterThan(3);
  });

  it('goes to a ref if somebody writes the index or moves the branch meanwhile', () => {
    const others = [
      'printf x >> .git/index',
      '$REAL commit-tree HEAD^{tree} -p HEAD -m other | xargs $REAL update-ref HEAD',
    ];
    for (const other of others) {
      const dir = changed();
      instead(`case "$*" in *unpack-objects*) ${other} ;; esac; exec $REAL "$@"`);
      const done = commit(dir);
      expect([done?.mode, done?.ref]).toEqual(['ref', 'refs/ben10/wip/work/1']);
      expect(headOf(dir)).not.toBe(done?.commit);
      expect(existsSync(path.join(dir, '.git/index.lock'))).toBe(false);
    }
  });

  it('is made by whoever the user is, else by ben10', () => {
    vi.stubEnv('GIT_AUTHOR_NAME', undefined);
    vi.stubEnv('GIT_COMMITTER_NAME', undefined);
    const dir = changed();
    git(dir, ['config', 'user.useConfigOnly', 'true']);
    vi.stubEnv('GIT_AUTHOR_EMAIL', undefined);
    vi.stubEnv('GIT_COMMITTER_EMAIL', undefined);
    const author = (hash = '') => git(dir, ['log', '-1', '--format=%an <%ae>', hash]).trim();
    expect(author(commit(dir)?.commit)).toBe('ben10 <ben10@localhost>');
    git(dir, ['config', 'user.name', 'Ada']);
    git(dir, ['config', 'user.email', 'ada@example.org']);
    writeIn(dir, { 'a.txt': 'c\n' });
    const again = commitWip(
      dir,
      { ...ASKED, checkpoint: 'ff', refuse: refuseIn() },
      within(60_000),
    );
    expect(author(again?.commit)).toBe('Ada <ada@example.org>');
  });

  it('is found again by its trailer, and not made twice', () => {
    for (const mode of ['branch', 'ref'] as const) {
      const dir = changed();
      const asked = { ...ASKED, mode, refuse: refuseIn() };
      const done = commitWip(dir, asked, within(60_000));
      writeIn(dir, { 'a.txt': 'later\n' });
      expect(commitWip(dir, asked, within(60_000))).toEqual(done);
    }
  });

  it('says what is wrong, and leaves nothing, where git is missing, slow, full of noise or no repository is there', {
    tags: 'long',
  }, () => {
    const wrong = (script: string | undefined, dir = changed()) => {
      if (script !== undefined) instead(script);
      const before = Date.now();
      const attempt = () => commitWip(dir, { ...ASKED, refuse: refuseIn() }, within(1500));
      expect(attempt).toThrow(NotDone);
      expect(Date.now() - before).toBeLessThan(10_000);
      const left = existsSync(path.join(dir, '.git')) ? readdirSync(path.join(dir, '.git')) : [];
      expect(left.filter((name) => /ben10|lock/.test(name))).toEqual([]);
    };
    wrong(undefined, scratch());
    wrong('exit 127');
    wrong('sleep 60 & sleep 60');
    wrong('case "$*" in *commit-tree*) sleep 60 ;; esac; exec $REAL "$@"');
    wrong('exec cat /dev/zero');
    wrong('echo /nowhere; echo /nowhere; echo /nowhere; echo /nowhere');
    vi.stubEnv('PATH', scratch());
    const dir = repository({ 'a.txt': 'a\n' });
    expect(() => commit(dir)).toThrow('git did not answer');
  });

  it('is taken back while it is HEAD and nobody else has it, and then working tree and index stay', () => {
    const undone = (then: (dir: string) => unknown) => {
      const dir = changed();
      const before = headOf(dir);
      const done = commit(dir)!;
      then(dir);
      const [index, head] = [indexOf(dir), headOf(dir)];
      let why = '';
      try {
        undoWip(dir, done, within(60_000));
      } catch (error) {
        why = (error as Error).message;
      }
      expect([indexOf(dir), bytesOf(path.join(dir, 'a.txt'))]).toEqual([index, 'b\n']);
      expect(headOf(dir)).toBe(why === '' ? before : head);
      return why;
    };
    expect(undone(() => undefined)).toBe('');
    expect(undone((dir) => git(dir, ['update-ref', 'refs/remotes/o/work', 'HEAD']))).toBe(
      'it was pushed',
    );
    expect(undone((dir) => git(dir, ['commit', '-q', '--allow-empty', '-m', 'x']))).toMatch(
      /not HEAD/,
    );
    expect(undone((dir) => git(dir, ['bisect', 'start']))).toMatch(/half done/);
    expect(undone((dir) => git(dir, ['checkout', '-q', '-b', 'other']))).toMatch(
      /made on refs\/heads\/work/,
    );
    expect(undone((dir) => git(dir, ['checkout', '-q', '--detach']))).toMatch(/not checked out/);
  });
});
