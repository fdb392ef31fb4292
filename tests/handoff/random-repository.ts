import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { chars, pick, type Random, SAMPLES, seeded } from '../capture/redaction/samples.ts';
import { GIT_ENV } from '../packs/repository.ts';
import { scratch } from '../support.ts';

/** As git prints it; undefined if it fails. */
export function tryGit(dir: string, args: readonly string[], env: object = {}): string | undefined {
  const { status, stdout, stderr } = spawnSync('git', ['-c', 'core.safecrlf=false', ...args], {
    cwd: dir,
    env: { ...GIT_ENV, ...env },
    encoding: 'latin1',
    maxBuffer: 1e8,
  });
  said = stderr;
  return status === 0 ? stdout : undefined;
}

/** What git last said on stderr. */
let said = '';

export function git(dir: string, args: readonly string[], env: object = {}): string {
  const answer = tryGit(dir, args, env);
  if (answer === undefined) throw new Error(`git ${args.join(' ')} failed in ${dir}: ${said}`);
  return answer;
}

/** A repository as people and tools leave them, and what must become of it. */
export interface RandomRepository {
  dir: string;
  /** Words for each thing that was done, for the message of a failure. */
  story: string[];
  /** Paths that must stay as they are at HEAD. */
  out: Set<string>;
  mode: 'branch' | 'ref';
  /** It is made by whatever program of the repository runs. */
  marker: string;
}

const NAMES = [
  'a.txt',
  'src/b.ts',
  'src/deep/c d.ts',
  'é/ü "q".md',
  'run.sh',
  'docs/x.md',
  '-dash',
];
const HOOKS = 'pre-commit commit-msg post-commit reference-transaction post-index-change'.split(
  ' ',
);

const words = (random: Random, eol = '\n'): string =>
  Array.from({ length: 1 + random(30) }, () => `line ${chars(random, 'abc def', 9)}${eol}`).join(
    '',
  );

function write(dir: string, name: string, content: string | Buffer): void {
  const file = path.join(dir, name);
  for (let up = path.dirname(file); up !== dir; up = path.dirname(up))
    if (existsSync(up) && !readdirOf(up)) rmSync(up);
  rmSync(file, { recursive: true, force: true });
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
}

const readdirOf = (dir: string): string[] | undefined => {
  try {
    return readdirSync(dir);
  } catch {
    return undefined;
  }
};

/** A program that leaves a trace, and fails. */
function trap(file: string, marker: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\necho "$0 $*" >> '${marker}'\nexit 1\n`, { mode: 0o755 });
}

export function randomRepository(seed: number): RandomRepository {
  const random = seeded(seed);
  const some = (of: number): boolean => random(of) === 0;
  const top = scratch();
  let dir = path.join(top, 'repo');
  mkdirSync(dir);
  const marker = path.join(top, 'ran');
  const made: RandomRepository = {
    dir,
    story: [`seed ${seed}`],
    out: new Set(),
    mode: 'branch',
    marker,
  };
  const tell = (what: string) => made.story.push(what);
  const ref = (why: string) => {
    made.mode = 'ref';
    tell(why);
  };
  git(dir, ['init', '-q', '-b', 'work', ...(some(8) ? ['--object-format=sha256'] : [])]);
  if (some(3)) {
    const value = pick(random, ['true', 'input']);
    git(dir, ['config', 'core.autocrlf', value]);
    if (some(2)) git(dir, ['config', 'core.safecrlf', 'true']);
    tell(`autocrlf ${value}`);
  }
  // What is at HEAD.
  const names = NAMES.filter(() => !some(4));
  for (const name of names) write(dir, name, words(random));
  write(dir, '.gitignore', 'ignored/\n*.ign\n');
  write(dir, '.env.old', 'A=1\n');
  write(dir, 'bin.dat', Buffer.from([0, 1, 2, 255, random(256)]));
  if (some(2)) symlinkSync('a.txt', path.join(dir, 'link'));
  if (some(4)) {
    write(dir, '.gitattributes', '*.md text eol=crlf\n*.ts text\n');
    tell('attributes');
  }
  const isUnborn = some(15);
  if (isUnborn) {
    ref('unborn');
    made.out.add('.env.old');
  }
  if (!isUnborn) {
    git(dir, ['add', '-A', '-f']);
    git(dir, ['commit', '-qm', 'one']);
    write(dir, 'a.txt', 'second\n');
    git(dir, ['add', '-A', '-f']);
    git(dir, ['commit', '-qm', 'two']);
  }
  if (!isUnborn && some(8)) {
    git(dir, ['worktree', 'add', '-q', '-b', 'beside', '../beside']);
    made.dir = dir = path.join(top, 'beside');
    tell('worktree');
  }
  if (!isUnborn && some(8)) submodule(top, dir, made);
  if (!isUnborn) inProgress(random, dir, made, ref);
  change(random, dir, names, made, ref);
  settings(random, dir, made, ref);
  if (some(10)) {
    writeFileSync(
      `${path.resolve(dir, git(dir, ['rev-parse', '--git-path', 'index']).trim())}.lock`,
      '',
    );
    ref('index.lock');
  }
  return made;
}

function submodule(top: string, dir: string, { story }: RandomRepository): void {
  const sub = path.join(top, 'sub');
  mkdirSync(sub);
  const format = git(dir, ['rev-parse', '--show-object-format']).trim();
  git(sub, ['init', '-q', '-b', 'main', `--object-format=${format}`]);
  write(sub, 's.txt', 's\n');
  git(sub, ['add', '.']);
  git(sub, ['commit', '-qm', 's']);
  git(dir, ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', sub, 'mod']);
  git(dir, ['commit', '-qm', 'sub']);
  const inner = path.join(dir, 'mod');
  write(inner, 's.txt', 'dirty\n');
  git(inner, ['commit', '-qam', 'moved']);
  write(inner, 's.txt', 'dirty again\n');
  story.push('submodule');
}

/** What git has begun, or where HEAD stands. */
function inProgress(
  random: Random,
  dir: string,
  { story }: RandomRepository,
  ref: (why: string) => void,
): void {
  const kind = random(16);
  const other = () => {
    const own = git(dir, ['symbolic-ref', '--short', 'HEAD']).trim();
    git(dir, ['checkout', '-q', '-b', 'other', 'HEAD~1']);
    write(dir, 'a.txt', 'other\n');
    git(dir, ['add', 'a.txt']);
    git(dir, ['commit', '-qm', 'other']);
    git(dir, ['checkout', '-q', own]);
  };
  const begin = (what: string, ...args: string[]) => {
    if (tryGit(dir, args) === undefined) ref(what);
  };
  if (story.includes('submodule')) return;
  if (kind === 0) {
    git(dir, ['checkout', '-q', '--detach']);
    ref('detached');
  } else if (kind === 1) {
    other();
    begin('merge', 'merge', '-q', 'other');
  } else if (kind === 2) {
    other();
    begin('rebase', 'rebase', '-q', 'other');
  } else if (kind === 3) {
    other();
    begin('cherry-pick', 'cherry-pick', 'other');
  } else if (kind === 4) {
    git(dir, ['commit', '-q', '--allow-empty', '-m', 'empty']);
    write(dir, 'a.txt', 'third\n');
    git(dir, ['commit', '-qam', 'third']);
    begin('revert', 'revert', '--no-edit', 'HEAD~2');
  } else if (kind === 5) {
    git(dir, ['bisect', 'start']);
    ref('bisect');
  } else if (kind === 6) {
    git(dir, ['remote', 'add', 'origin', '../origin']);
    git(dir, ['update-ref', 'refs/remotes/origin/work', 'HEAD~1']);
    const branch = git(dir, ['symbolic-ref', '--short', 'HEAD']).trim();
    git(dir, ['update-ref', `refs/remotes/origin/${branch}`, 'HEAD~1']);
    git(dir, ['branch', '-q', `--set-upstream-to=origin/${branch}`]);
    if (random(2) === 0) {
      git(dir, ['symbolic-ref', 'refs/remotes/origin/HEAD', `refs/remotes/origin/${branch}`]);
      ref('default branch with an upstream');
    }
  } else if (kind === 7) {
    git(dir, ['update-index', '--split-index']);
    story.push('split index');
  }
}

function change(
  random: Random,
  dir: string,
  names: readonly string[],
  made: RandomRepository,
  ref: (why: string) => void,
): void {
  const { out, story } = made;
  const some = (of: number): boolean => random(of) === 0;
  const secretKinds = Object.keys(SAMPLES);
  const stage = (name: string) => {
    if (tryGit(dir, ['add', '-f', '--', name]) === undefined) return;
    if (tryGit(dir, ['diff', '--cached', '--quiet', 'HEAD', '--', name]) === undefined)
      ref(`staged ${name}`);
  };
  const steps: Record<string, () => void> = {
    edit: () => write(dir, pick(random, NAMES), words(random, some(3) ? '\r\n' : '\n')),
    new: () => write(dir, `new/${chars(random, 'abc', 3)}.txt`, words(random)),
    mode: () => {
      const file = path.join(dir, pick(random, names.length > 0 ? names : ['bin.dat']));
      if (existsSync(file)) chmodSync(file, 0o755);
    },
    gone: () => {
      const file = path.join(dir, pick(random, NAMES));
      if (existsSync(file)) rmSync(file, { recursive: true });
    },
    rename: () => {
      const from = path.join(dir, 'bin.dat');
      if (existsSync(from)) renameSync(from, path.join(dir, 'moved.dat'));
    },
    link: () => {
      const file = path.join(dir, 'link');
      rmSync(file, { recursive: true, force: true });
      symlinkSync(pick(random, ['/etc/passwd', 'src', 'nowhere']), file);
    },
    'file to folder': () => write(dir, 'docs/x.md/inner.txt', 'in\n'),
    'folder to file': () => write(dir, 'src', 'a file now\n'),
    ignored: () => write(dir, 'ignored/x.txt', 'x\n'),
    env: () => {
      write(dir, '.env', 'TOKEN=abc\n');
      out.add('.env');
      if (some(3)) stage('.env');
    },
    'tracked env': () => {
      write(dir, '.env.old', words(random));
      out.add('.env.old');
    },
    log: () => {
      write(dir, 'deep/x.log', 'x\n');
      out.add('deep/x.log');
    },
    large: () => {
      write(dir, 'large.bin', Buffer.alloc(5 * 1024 * 1024 + 1, random(255)));
      out.add('large.bin');
    },
    'not too large': () => write(dir, 'five.bin', Buffer.alloc(5 * 1024 * 1024, random(255))),
    secret: () => {
      const { text } = SAMPLES[pick(random, secretKinds)]!(random);
      const name = pick(random, ['secret.txt', ...names]);
      write(dir, name, `${words(random)}${text}\n${words(random)}`);
      out.add(`?${name}`);
      if (some(4)) stage(name);
    },
    'nested repository': () => {
      const inner = path.join(dir, 'nested');
      mkdirSync(inner, { recursive: true });
      const format = git(dir, ['rev-parse', '--show-object-format']).trim();
      git(inner, ['init', '-q', `--object-format=${format}`]);
      write(inner, 'n.txt', 'n\n');
      git(inner, ['add', '.']);
      git(inner, ['commit', '-q', '--allow-empty', '-m', 'n']);
      out.add('nested');
    },
    staged: () => {
      const name = pick(random, NAMES);
      write(dir, name, words(random));
      stage(name);
      if (some(2)) write(dir, name, words(random));
    },
    'staged and gone': () => {
      write(dir, 'brief.txt', words(random));
      stage('brief.txt');
      unlinkSync(path.join(dir, 'brief.txt'));
    },
    'removed from the index': () => {
      if (tryGit(dir, ['rm', '-q', '--cached', '--', 'bin.dat']) !== undefined) ref('rm --cached');
    },
    'intent to add': () => {
      write(dir, 'meant.txt', words(random));
      if (tryGit(dir, ['add', '-N', 'meant.txt']) !== undefined) ref('add -N');
    },
    'not UTF-8': () =>
      writeFileSync(Buffer.concat([Buffer.from(`${dir}/`), Buffer.from([0x66, 0xff])]), 'x'),
    ours: () => {
      write(dir, '.claude/checkpoint-state.json', '{}');
      write(dir, '.ben10/journal/x', 'x');
      out.add('.claude/checkpoint-state.json').add('.ben10');
    },
  };
  const kinds = Object.keys(steps);
  for (let n = random(7); n > 0; n -= 1) {
    const kind = pick(random, kinds);
    steps[kind]!();
    story.push(kind);
  }
}

function settings(random: Random, dir: string, made: RandomRepository, ref: (why: string) => void) {
  const some = (of: number): boolean => random(of) === 0;
  const { marker, out, story } = made;
  const common = path.resolve(dir, git(dir, ['rev-parse', '--git-common-dir']).trim());
  const program = path.join(path.dirname(marker), 'trap.sh');
  trap(program, marker);
  if (some(2)) {
    for (const hook of HOOKS) trap(path.join(common, 'hooks', hook), marker);
    git(dir, ['config', 'core.fsmonitor', program]);
    story.push('hooks');
  }
  if (some(3)) {
    for (const set of ['commit.gpgSign', 'log.showSignature']) git(dir, ['config', set, 'true']);
    git(dir, ['config', 'gpg.program', program]);
    story.push('signing');
  }
  if (some(8)) {
    const required = some(2);
    git(dir, ['config', 'filter.own.clean', program]);
    if (required) git(dir, ['config', 'filter.own.required', 'true']);
    writeFileSync(path.join(common, 'info/attributes'), '*.flt filter=own\n');
    write(dir, 'x.flt', words(random));
    ref('filter');
    if (required) out.add('x.flt');
  }
}

/** Bytes of a file; undefined if it is not there. */
export const bytesOf = (file: string): string | undefined =>
  existsSync(file) ? readFileSync(file, 'latin1') : undefined;
