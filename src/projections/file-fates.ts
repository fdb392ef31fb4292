import path from 'node:path';

interface PassedCommand {
  about: string;
  seq: number;
}

interface FileFate {
  path: string;
  /** Deleted or reverted. */
  isGone: boolean;
  isCommitted: boolean;
}

/** What one command did; `everything` is all files changed before it. */
interface Effect {
  seq: number;
  is: 'committed' | 'deleted' | 'reverted' | 'staged' | 'moved';
  paths: string[] | 'everything';
  to?: string;
}

const COMMAND_CHARS = 4000;
const PATHS_MAX = 200;
/** Options of `git commit` with a value in the next word. */
const WITH_VALUE = /^-(?:\w*[mFCct]|-(?:message|file|author|date|template|reuse-message))$/;

/**
 * What the session's own commands did to files: committed, reverted, deleted, moved. Changes made by hand are not seen.
 * @param commands oldest first
 * @param directory where they ran
 */
export function fatesOf(
  commands: readonly PassedCommand[],
  directory: string | null,
): (file: string, changedSeq: number) => FileFate {
  const effects = commands.flatMap((one) => effectsOf(one, directory ?? '/'));
  return (file, changedSeq) => {
    const fate: FileFate = { path: file, isGone: false, isCommitted: false };
    let isStaged = false;
    /** Whether the next commit is of staged files only. */
    let isPicked = false;
    for (const { seq, is, paths, to } of effects) {
      const isMeant =
        seq > changedSeq && (paths === 'everything' || paths.some((one) => covers(one, fate.path)));
      if (is === 'staged') isPicked = true;
      if (isMeant && is === 'staged') isStaged = true;
      if (isMeant && is === 'deleted') fate.isGone = true;
      if (isMeant && is === 'reverted' && !fate.isCommitted) fate.isGone = true;
      if (isMeant && is === 'moved') {
        fate.path = to!;
        fate.isCommitted = false;
        isStaged = true;
      }
      if (is !== 'committed') continue;
      if (isMeant && (paths !== 'everything' || !isPicked || isStaged)) fate.isCommitted = true;
      isPicked = false;
    }
    return fate;
  };
}

const covers = (one: string, file: string): boolean =>
  file === one || file.startsWith(one.endsWith('/') ? one : `${one}/`);

function effectsOf({ about, seq }: PassedCommand, directory: string): Effect[] {
  let cwd = directory;
  return (
    about
      .slice(0, COMMAND_CHARS)
      // Here-documents and most quoted texts are messages or contents.
      .replace(/<<[\s\S]*/, '')
      .replace(/"[^"]*"|'[^']*'/g, (quoted) => quoted.replace(/[&|;\n]/g, ' '))
      .split(/&&|\|\||[;|\n]/)
      .flatMap((part): Effect[] => {
        const [program, ...args] = wordsOf(part);
        if (program === 'cd' && args[0] !== undefined) cwd = path.resolve(cwd, args[0]);
        const effect = program === 'git' ? byGit(args, cwd) : byShell(program, args, cwd);
        return effect === undefined ? [] : [{ ...effect, seq }];
      })
  );
}

function byShell(program: string | undefined, args: string[], cwd: string) {
  const paths = pathsIn(args, cwd);
  if (program === 'rm') return { is: 'deleted' as const, paths };
  const [from, to] = paths;
  if (program !== 'mv' || paths.length !== 2) return undefined;
  return { is: 'moved' as const, paths: [from!], to: into(args.at(-1)!, from!, to!) };
}

/** A move into a folder keeps the name. */
const into = (word: string, from: string, to: string): string =>
  word.endsWith('/') ? path.join(to, path.basename(from)) : to;

function byGit(all: string[], cwd: string): Omit<Effect, 'seq'> | undefined {
  const at = all.findIndex((one, n) => !one.startsWith('-') && !/^-[cC]$/.test(all[n - 1] ?? ''));
  const folder = all.slice(0, Math.max(0, at)).indexOf('-C');
  const own = folder === -1 ? cwd : path.resolve(cwd, all[folder + 1] ?? '.');
  const [verb, ...args] = at === -1 ? [] : all.slice(at);
  const paths = pathsIn(args, own);
  const isAll = args.some((one) => /^(?:-A|--all|-u|--update|\.|:\/)$/.test(one));
  const behindRule = args.includes('--') ? pathsIn(args.slice(args.indexOf('--')), own) : [];
  switch (verb) {
    case 'rm':
      return args.includes('--cached') ? undefined : { is: 'deleted', paths };
    case 'mv':
      return byShell('mv', args, own);
    case 'add':
    case 'stage':
      return { is: 'staged', paths: isAll ? 'everything' : paths };
    case 'restore':
      if (args.includes('--staged')) return undefined;
      return { is: 'reverted', paths: isAll ? 'everything' : paths };
    case 'checkout':
      return behindRule.length === 0 ? undefined : { is: 'reverted', paths: behindRule };
    case 'reset':
      return args.includes('--hard') ? { is: 'reverted', paths: 'everything' } : undefined;
    case 'commit':
      return committed(args, own);
    default:
      return undefined;
  }
}

function committed(args: string[], cwd: string): Omit<Effect, 'seq'> {
  const own = args.filter((one, n) => !WITH_VALUE.test(one) && !WITH_VALUE.test(args[n - 1] ?? ''));
  const paths = pathsIn(own, cwd);
  // `-a` commits all tracked files.
  const isAll = args.some((one) => /^(?:-[a-z]*a[a-z]*|--all)$/.test(one));
  if (isAll) return { is: 'committed', paths: [path.parse(cwd).root] };
  return { is: 'committed', paths: paths.length === 0 ? 'everything' : paths };
}

const pathsIn = (args: readonly string[], cwd: string): string[] =>
  args
    .filter((one) => one !== '' && !/^(?:-|\d?[<>&]|\$)/.test(one))
    .slice(0, PATHS_MAX)
    .map((one) => path.resolve(cwd, one));

/** Split as a shell would, without expansions. */
const wordsOf = (part: string): string[] =>
  [...part.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word.replace(/["']/g, ''));
