import { type RedactionOptions, redactText } from '../../capture/redaction/index.ts';
import { safeGit, withoutFilters } from '../../platform/programs/git.ts';
import { isThere, type Run, runner } from '../../platform/programs/run.ts';
import { oneLine, withVisible } from '../../projections/safe-text.ts';
import { FILE_BYTES_MAX } from '../render/file.ts';
import type { Artifact, ArtifactOptions, Candidate, Found, Reason } from '../render/pack.ts';
import { type DeniedBy, denials, type Rules } from '../render/sensitive.ts';
import { pathsIn } from '../render/source.ts';
import { withoutSecretLines } from './diff-secrets.ts';
import type { SourceOf } from './sources.ts';

const TIMEOUT_MS = 10_000;
/** Of the names that are kept out: Windows takes 32,767 characters a command. */
const EXCLUDED_CHARS_MAX = 24_000;
/** Of all changed files, before and after. */
const WHOLE_BYTES_MAX = 16 * 1024 * 1024;
const WHOLE = '-U100000000';

/** What a user or a repository may have set must not change the bytes, or start a program. */
const PINNED = ['-c', 'core.quotePath=false', '-c', 'diff.suppressBlankEmpty=false', 'diff'];
const FLAGS = [
  ...['--no-ext-diff', '--no-textconv', '--no-color', '--src-prefix=a/', '--dst-prefix=b/'],
  ...['-U3', '--inter-hunk-context=0', '--diff-algorithm=myers', '--indent-heuristic'],
  ...['--find-renames=50%', '-l1000', '--full-index', '--submodule=short', '-O/dev/null'],
  ...['--ignore-submodules=dirty', '--relative'],
];

type Env = Readonly<Record<string, string | undefined>>;
type Git = (...args: readonly string[]) => Promise<string | undefined>;

/** Of a point in the past git cannot tell what the working tree or a branch was. */
export const gitDiff: SourceOf = async (project, artifact, at) => {
  const { dir, packs, redaction } = project;
  if (at !== undefined) return [{ ...named(artifact, redaction), reason: 'unknown_then' }];
  const excludedBy = (name: string): string | undefined => project.excludedBy(name);
  return diffOf({ dir, excludedBy, deny: packs.deny, redaction }, artifact);
};

type Diff = Pick<Artifact, 'source' | 'options'>;

function named(diff: Diff, redaction: RedactionOptions): Pick<Candidate, 'label' | 'attributes'> {
  const { base = 'HEAD', head } = diff.options;
  const paths = pathsIn(diff).map((one) => ` ${one}`);
  const only = paths.length === 0 ? '' : ` --${paths.join('')}`;
  const said = redactText(`diff ${base}...${head ?? 'worktree'}${only}`, redaction).text;
  const label = withVisible(oneLine(said));
  return {
    label,
    attributes: { git: label, ...(head === undefined && { untracked: 'left out' }) },
  };
}

/**
 * What git has of a `git:diff`: the whole as one text, and the changed files that must not be in it. Untracked files are not in a
 * diff, and its tag says so. Nothing runs that the repository's settings name.
 */
export async function diffOf(
  rules: Rules & { redaction: RedactionOptions },
  artifact: Diff,
  env: Env = process.env,
): Promise<Found[]> {
  const { options } = artifact;
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  let isTooBig = false;
  const running = (bytesMax: number) =>
    runner(signal, withoutPlaces(env), {
      bytesMax,
      tooMuch: () => {
        isTooBig = true;
      },
    });
  const run = running(FILE_BYTES_MAX);
  const what = named(artifact, rules.redaction);
  const none = (reason: Reason): Found[] => [
    { ...what, reason: signal.aborted ? 'failed' : isTooBig ? 'too_big' : reason },
  ];
  const git: Git = (...args) => run('git', safeGit(...args), rules.dir);
  // A repository may say that its working tree is elsewhere.
  if ((await git('rev-parse', '--is-inside-work-tree'))?.trim() !== 'true')
    return none(isThere('git', env) ? 'not_a_repository' : 'failed');
  const range = await rangeOf(git, options);
  if (range === undefined) return none('bad_revision');
  const off = await withoutFilters(run, rules.dir);
  if (off === undefined) return none('failed');
  const paths = pathsIn(artifact).map((one) => `:(literal)${one}`);
  const only = paths.length === 0 ? ['.'] : paths;
  const diffBy =
    (by: Run): Git =>
    (...args) =>
      by(
        'git',
        [...off, ...PINNED, ...FLAGS, ...args, ...range, '--', ...only, ...kept],
        rules.dir,
      );
  const diff = diffBy(run);
  let kept: string[] = [];
  let denied: string[] = [];
  if (options.allowSensitive !== true) {
    const names = await diff('--name-only', '-z', '--no-renames');
    if (names === undefined) return none('failed');
    denied = deniedAmong(names.split('\0'), denials(rules));
    kept = denied.map(excluding);
    if (kept.join(' ').length > EXCLUDED_CHARS_MAX) return none('too_big');
  }
  const shown = await diff();
  const whole = shown && (await diffBy(running(WHOLE_BYTES_MAX))(WHOLE));
  if (shown === undefined || whole === undefined) return none('failed');
  const clean = withoutSecretLines(shown, whole, rules.redaction);
  if (clean === undefined) return none('failed');
  return [
    { ...what, oids: range, ...clean },
    ...denied.map((path): Found => ({ path, reason: 'denied' })),
  ];
}

/** What to compare, as object ids; undefined if a revision is none. One means the working tree. */
async function rangeOf(git: Git, { base, head }: ArtifactOptions): Promise<string[] | undefined> {
  const end = head === undefined ? [] : [await commitOf(git, head)];
  const start = await commitOf(git, base ?? 'HEAD');
  if (end[0] === undefined && head !== undefined) return undefined;
  if (start !== undefined) {
    const shared = await git('merge-base', start, end[0] ?? 'HEAD');
    return [shared?.trim() || start, ...(end as string[])];
  }
  const isUnborn =
    base === undefined && (await git('rev-parse', '--verify', '--quiet', 'HEAD')) === undefined;
  const empty = isUnborn ? await git('hash-object', '-t', 'tree', '--stdin') : undefined;
  return empty === undefined ? undefined : [empty.trim(), ...(end as string[])];
}

/** One commit as git names it: no option, no range, and nothing that needs white space. */
const REVISION = /^(?!-|.*\.\.)[^\s\p{C}]{1,200}$/u;

async function commitOf(git: Git, revision: string): Promise<string | undefined> {
  if (!REVISION.test(revision)) return undefined;
  return (await git('rev-parse', '--verify', '--quiet', `${revision}^{commit}`))?.trim();
}

const BAD_BYTES = /\ufffd+/g;

/** The denied ones; of a denied folder only its own name. */
function deniedAmong(names: readonly string[], deniedBy: DeniedBy): string[] {
  const denied = names.filter((name) => name !== '' && deniedBy(name) !== undefined);
  return [...new Set(denied.map((name) => topOf(name, deniedBy)))];
}

function topOf(name: string, deniedBy: DeniedBy): string {
  if (name.search(BAD_BYTES) !== -1) return name;
  const parts = name.split('/');
  const tops = parts.map((_, at) => parts.slice(0, at + 1).join('/'));
  return tops.find((top) => deniedBy(top) !== undefined)!;
}

/** Bytes that are no UTF-8 cannot be given to a program: a pattern stands for them. */
const excluding = (name: string): string =>
  name.search(BAD_BYTES) === -1
    ? `:(exclude,literal)${name}`
    : `:(exclude,glob)${name.replace(/[\\*?[\]]/g, '\\$&').replace(BAD_BYTES, '*')}`;

const OF_THE_USER = /^GIT_CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)$/;

/** In a hook of git's they name another repository or index, and some change how paths are read. */
const withoutPlaces = (env: Env): Env =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => !name.startsWith('GIT_') || OF_THE_USER.test(name)),
  );
