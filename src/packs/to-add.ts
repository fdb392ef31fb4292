import type { PackOptions } from '../events/types.ts';
import { Ben10Error, type ErrorCode } from '../platform/errors.ts';
import { shellWord } from '../platform/shell-word.ts';
import type { Project } from '../project/open.ts';
import { oneLine } from '../projections/safe-text.ts';
import { groundOf } from './of-project.ts';
import { fileReader } from './render/file.ts';
import { checkedGlob } from './render/glob.ts';
import type { Artifact, Kind, Reason } from './render/pack.ts';
import { denials } from './render/sensitive.ts';
import { type Parsed, parseSource, placeIn, usage } from './render/source.ts';
import { sourcesOf } from './sources/sources.ts';

export type ToAdd = Parsed & { options: PackOptions };

const KINDS_OF: Readonly<Record<keyof PackOptions, readonly Kind[]>> = {
  recursive: ['md_dir'],
  maxFiles: ['md_dir', 'glob'],
  exclude: ['md_dir', 'glob'],
  allowSensitive: ['file', 'range', 'md', 'md_dir', 'glob', 'git', 'journal'],
  base: ['git'],
  head: ['git'],
  cwd: ['cmd'],
  session: ['journal'],
  since: ['journal'],
};
const namesOf = (options: PackOptions) => Object.keys(options) as (keyof PackOptions)[];

const OPTION_CHARS_MAX = 200;
const EXCLUDES_MAX = 50;

/**
 * Sources as they will be stored. Each must be of use now: a missing file is a slip.
 * @throws Ben10Error USAGE, LIMIT_EXCEEDED, PACK_DENIED, FS_NOT_FOUND, FS_READ_ERROR, FS_PERMISSION_DENIED
 */
export async function checkedAll(
  project: Project,
  pack: string,
  given: readonly string[],
  options: PackOptions,
): Promise<ToAdd[]> {
  const parsed = given.map((source) => parseSource(source));
  const asked = checkedOptions(options);
  for (const name of namesOf(asked))
    if (!parsed.some(({ kind }) => KINDS_OF[name].includes(kind))) throw ofNoUse(name);
  const all = parsed.map((one): ToAdd => ({ ...one, options: forKind(one.kind, asked) }));
  for (const one of all) await refuseUseless(project, pack, one);
  return all;
}

/** Options of one source, in the form that is stored. @throws Ben10Error USAGE also for one that is not for its kind */
export function optionsFor(kind: Kind, given: PackOptions): PackOptions {
  for (const name of namesOf(given)) if (!KINDS_OF[name].includes(kind)) throw ofNoUse(name);
  return checkedOptions(given);
}

function checkedOptions(given: PackOptions): PackOptions {
  const { cwd, exclude = [], maxFiles } = given;
  if (exclude.length > EXCLUDES_MAX)
    throw usage(`more than ${EXCLUDES_MAX} patterns to leave out`, 'Give fewer, wider ones.');
  exclude.forEach(checkedGlob);
  if (maxFiles !== undefined && !(Number.isSafeInteger(maxFiles) && maxFiles >= 1))
    throw usage(`${maxFiles} is no number of files`, 'Give a whole number from 1.');
  for (const [name, value] of Object.entries(given))
    if (typeof value === 'string' && !isWord(value))
      throw usage(`"${oneLine(value).slice(0, 60)}" is no ${name}`, 'See: ben10 pack add --help');
  return { ...given, ...(cwd !== undefined && { cwd: placeIn(parseSource(`file:${cwd}`)).path }) };
}

/** A program could take what begins with a dash for an option. */
const isWord = (value: string): boolean =>
  value !== '' && value.length <= OPTION_CHARS_MAX && !/^-|[\x00-\x1f]/.test(value);

const forKind = (kind: Kind, options: PackOptions): PackOptions =>
  Object.fromEntries(
    namesOf(options)
      .filter((name) => KINDS_OF[name].includes(kind))
      .map((name) => [name, options[name]]),
  );

const ofNoUse = (option: keyof PackOptions): Ben10Error =>
  usage(`${option} is for sources of ${KINDS_OF[option].join(', ')}`, 'Leave it out.');

/** @throws Ben10Error USAGE */
export function refuseSecrets(project: Project, { kind, source, options }: ToAdd): void {
  const { exclude = [], ...words } = options;
  const said = [...Object.values(words), ...exclude, ...(kind === 'text' ? [] : [source])];
  for (const value of said)
    if (typeof value === 'string' && project.recorder.kept(value) !== value)
      throw usage('a source contains a secret, which ben10 does not store', 'Leave it out.');
}

async function refuseUseless(project: Project, pack: string, one: ToAdd): Promise<void> {
  const { kind, source } = one;
  refuseSecrets(project, one);
  if (kind === 'file' || kind === 'range' || kind === 'md') refuseFile(project, pack, one);
  if (kind !== 'git' && kind !== 'journal') return;
  const artifact: Artifact = { ...one, id: '', priority: 0, added: 0 };
  const found = await sourcesOf(project)(artifact);
  const [first] = found;
  if (first !== undefined && 'reason' in first && found.every((it) => 'reason' in it))
    throw usage(
      `${oneLine(source)} has nothing to give: ${first.reason}`,
      'Check it, and add it again.',
    );
}

/** What the reader says of it, as an error. Other reasons are told when it is rendered. */
const ERRORS: Partial<Record<Reason, [code: ErrorCode, says: string]>> = {
  missing: ['FS_NOT_FOUND', 'does not exist'],
  not_a_file: ['FS_READ_ERROR', 'is not a regular file'],
  unreadable: ['FS_PERMISSION_DENIED', 'may not be read'],
  outside: ['USAGE', 'leads out of the project'],
  too_big: ['LIMIT_EXCEEDED', 'has more than 4 MiB'],
};

function refuseFile(project: Project, pack: string, one: ToAdd): void {
  const ground = groundOf(project);
  const deniedBy = denials(ground);
  const { path } = placeIn(one);
  const allowSensitive = one.options.allowSensitive === true;
  const read = fileReader(ground, deniedBy)(path, { allowSensitive, isFound: false });
  if (typeof read !== 'string') return;
  const shown = oneLine(path);
  if (read === 'denied') {
    const pattern = deniedBy(path);
    const list = `is on the list of sensitive files (${oneLine(pattern ?? '')})`;
    const why = pattern === undefined ? 'leads to a sensitive file' : list;
    throw new Ben10Error('PACK_DENIED', `${shown} ${why}`, {
      next: 'Leave it out, or add it with --allow-sensitive: secrets in it stay redacted.',
    });
  }
  const [code, says] = ERRORS[read] ?? [];
  if (code === undefined) return;
  const isFolder =
    read === 'not_a_file' && ground.fs.statIfThere(`${ground.dir}/${path}`)?.isDirectory === true;
  let next = 'Give a path from the project’s folder on, as in file:src/main.ts';
  if (isFolder) next = `ben10 pack add ${pack} ${shellWord(`glob:${shown}/**`)}`;
  if (read === 'missing' && path.includes('*'))
    next = `For a pattern, write ${shellWord(`glob:${shown}`)}`;
  throw new Ben10Error(code, `${shown} ${isFolder ? 'is a folder' : says}`, { next });
}
