import { runner } from './run.ts';

/** A tree with more changed files has no working files. */
const FILES_MAX = 50;
const GIT_MS = 2000;

/** The files that git says are changed or new, from the folder on; undefined where git says nothing. */
export async function workingFiles(
  dir: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<string[] | undefined> {
  const run = runner(AbortSignal.timeout(GIT_MS), env);
  const args = [
    '-c',
    'core.fsmonitor=false',
    'status',
    '--porcelain',
    '-z',
    '--no-renames',
    '--',
    '.',
  ];
  const text = await run('git', args, dir);
  const prefix =
    text === undefined ? undefined : await run('git', ['rev-parse', '--show-prefix'], dir);
  if (text === undefined || prefix === undefined) return undefined;
  const above = prefix.trim();
  const files = text.split('\0').flatMap((line) => {
    const name = line.slice(3);
    const file = name.slice(above.length);
    return name === '' || !name.startsWith(above) || file.startsWith('.ben10') ? [] : [file];
  });
  return files.length === 0 ? undefined : files.slice(0, FILES_MAX);
}
