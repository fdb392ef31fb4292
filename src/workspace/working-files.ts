import { statusOf } from '../platform/programs/git.ts';
import { type Run, runner } from '../platform/programs/run.ts';
import { readInside } from './collectors/read.ts';

/** More are not returned. */
const FILES_MAX = 50;
const GIT_MS = 2000;

/** By file, its text without what ben10's setup added; undefined if nothing else is in it. */
export type OwnPart = Readonly<Record<string, (text: string) => string | undefined>>;

/**
 * Files below the folder that git reports as changed or new; undefined if git does not answer.
 * @param own files that are left out if only ben10's own part changed
 */
export async function workingFiles(
  dir: string,
  own: OwnPart,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<string[] | undefined> {
  const run = runner(AbortSignal.timeout(GIT_MS), env);
  const changed = await changedIn(run, dir);
  if (changed === undefined) return undefined;
  const files: string[] = [];
  for (const file of changed) if (!(await isOwn(run, dir, file, own))) files.push(file);
  return files.length === 0 ? undefined : files.slice(0, FILES_MAX);
}

/** Git reports a folder of new files as one, with `/` at its end. */
async function changedIn(
  run: Run,
  dir: string,
  ...more: readonly string[]
): Promise<string[] | undefined> {
  const status = ['--porcelain', '-z', '--no-renames', ...more];
  const text = await statusOf(run, dir, ...status, '--', '.');
  const prefix =
    text === undefined ? undefined : await run('git', ['rev-parse', '--show-prefix'], dir);
  if (text === undefined || prefix === undefined) return undefined;
  const above = prefix.trim();
  return text.split('\0').flatMap((line) => {
    const name = line.slice(3);
    const file = name.slice(above.length);
    return name === '' || !name.startsWith(above) || file.startsWith('.ben10') ? [] : [file];
  });
}

/** Setup keeps comments and values, not whitespace. */
const packed = (text: string | undefined): string | undefined => text?.replace(/\s+/g, '');

/** Whether only ben10's setup changed it. */
async function isOwn(run: Run, dir: string, file: string, own: OwnPart): Promise<boolean> {
  if (file.endsWith('/')) {
    if (!Object.keys(own).some((name) => name.startsWith(file))) return false;
    const inside = await changedIn(run, `${dir}/${file}`, '--untracked-files=all');
    if (inside === undefined || inside.length > Object.keys(own).length) return false;
    for (const name of inside) if (!(await isOwn(run, dir, file + name, own))) return false;
    return true;
  }
  const without = Object.hasOwn(own, file) ? own[file] : undefined;
  const now = without && readInside(dir, file);
  if (without === undefined || now === undefined) return false;
  const before = await run('git', ['show', `HEAD:./${file}`], dir);
  try {
    return packed(without(now)) === packed(before && without(before));
  } catch {
    return false; // it cannot be parsed: somebody is at work on it
  }
}
