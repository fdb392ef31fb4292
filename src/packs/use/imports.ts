import path from 'node:path';

const CODE = /\.(?:[cm]?[jt]sx?|vue|svelte|py|rs|go)$/;
export const isCode = (file: string): boolean => CODE.test(file);

/** What lines name, by language, as a path: relative ones begin with a dot. */
const LINES: readonly [RegExp, RegExp, (match: RegExpMatchArray) => string[]][] = [
  [
    /\.(?:[cm]?[jt]sx?|vue|svelte)$/,
    /\b(?:from|import|require)\s*\(?\s*['"]([^'"\n]{1,300})['"]/g,
    ([, name]) => [name!],
  ],
  [
    /\.py$/,
    /^[ \t]*(?:from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+\(?[ \t]*([\w, \t]*)|import[ \t]+([\w.]+))/gm,
    ([, dots = '', from = '', names = '', whole]) => {
      if (whole !== undefined) return [whole.replaceAll('.', '/')];
      const up = dots === '' ? '' : dots === '.' ? './' : '../'.repeat(dots.length - 1);
      const base = up + from.replaceAll('.', '/');
      return [...names.split(/[, \t]+/).map((name) => `${base}/${name}`), base];
    },
  ],
  [
    /\.rs$/,
    /^[ \t]*(?:pub(?:\([^)]*\))?[ \t]+)?(?:mod[ \t]+(\w+)[ \t]*;|use[ \t]+(?:crate|self|super)((?:::\w+)+))/gm,
    ([, mod, used = '']) => {
      if (mod !== undefined) return [`./${mod}`];
      const parts = used.split('::').slice(1);
      return parts.map((_, n) => parts.slice(0, parts.length - n).join('/'));
    },
  ],
  [/\.go$/, /^[ \t]*(?:import[ \t]+)?(?:[\w.]+[ \t]+)?"([\w./-]{1,300})"/gm, ([, name]) => [name!]],
];
/** The file that stands for its folder. */
const FOR_FOLDER = /\/(?:index|__init__|mod)$/;
/** More packages of one name are none of this project's. */
const IN_FOLDER_MAX = 30;

/** Which files of a project a text means with its imports. It looks at lines only, so a name that several files fit is the nearest one's. */
export class Imports {
  /** By the last part of the name without its ending. */
  readonly #stems = new Map<string, { stem: string; file: string }[]>();
  readonly #folders = new Map<string, string[]>();

  constructor(files: readonly string[]) {
    for (const file of files) {
      if (!isCode(file)) continue;
      const stem = file.replace(CODE, '').replace(FOR_FOLDER, '');
      push(this.#stems, path.posix.basename(stem), { stem, file });
      if (file.endsWith('.go') && !file.endsWith('_test.go'))
        push(this.#folders, path.posix.basename(path.posix.dirname(file)), file);
    }
  }

  /** @param text of the file */
  of(file: string, text: string): Set<string> {
    const found = new Set<string>();
    for (const [ending, line, namesOf] of LINES) {
      if (!ending.test(file)) continue;
      for (const match of text.matchAll(line)) {
        const [meant] = namesOf(match).flatMap((name) => {
          const files = this.#meant(file, name);
          return files.length === 0 ? [] : [files];
        });
        for (const one of meant ?? []) if (one !== file) found.add(one);
      }
    }
    return found;
  }

  #meant(from: string, name: string): string[] {
    const bare = name.replace(CODE, '');
    if (from.endsWith('.go')) return this.#package(from, bare);
    const dir = path.posix.dirname(from);
    if (bare.startsWith('.')) return this.#at(path.posix.join(dir, bare));
    // In Rust a module's own are in a folder of its name.
    const beside = this.#at(path.posix.join(dir, bare));
    if (beside.length > 0) return beside;
    // An alias (`@/lib/auth`), a package of this project, a module from some folder on.
    const parts = bare.split('/').filter((part) => part !== '' && part !== '~' && part !== '@');
    const known = this.#stems.get(parts.at(-1) ?? '') ?? [];
    for (let n = 0; n < Math.max(1, parts.length - 1); n += 1) {
      const end = `/${parts.slice(n).join('/')}`;
      const fits = known.filter(({ stem }) => `/${stem}`.endsWith(end));
      if (fits.length > 0 && (parts.length > 1 || fits.length === 1)) return [nearest(from, fits)];
    }
    return [];
  }

  #at(stem: string): string[] {
    const known = this.#stems.get(path.posix.basename(stem)) ?? [];
    return known.filter((one) => one.stem === stem).map(({ file }) => file);
  }

  /** A package is a folder, and its name begins with the module's. */
  #package(from: string, name: string): string[] {
    const inIt = (this.#folders.get(path.posix.basename(name)) ?? []).filter((file) =>
      `/${name}`.endsWith(`/${path.posix.dirname(file)}`),
    );
    return inIt.length > IN_FOLDER_MAX ? [] : inIt.filter((file) => file !== from);
  }
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}

/** The one that shares most of its path; of equals the first. */
function nearest(from: string, fits: readonly { stem: string; file: string }[]): string {
  const shared = (file: string): number => {
    let n = 0;
    while (n < file.length && file[n] === from[n]) n += 1;
    return n;
  };
  return fits.reduce((best, one) => (shared(one.file) > shared(best.file) ? one : best)).file;
}
