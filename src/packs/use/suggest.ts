import path from 'node:path';
import { readFile } from '../../platform/files.ts';
import type { Project } from '../../project/open.ts';
import { estimateTokens, fieldOf } from '../../projections/bounds.ts';
import { walkTree } from '../../timetravel/disk-walk.ts';
import { groundOf, packsAt, packsOf } from '../of-project.ts';
import { expand } from '../render/expand.ts';
import type { Pack } from '../render/pack.ts';
import { denials, isNoise } from '../render/sensitive.ts';
import { fileSource } from '../render/source.ts';
import { sourcesOf } from '../sources/sources.ts';
import { commitsOf } from './commits.ts';
import { Imports, isCode } from './imports.ts';
import { namedBy } from './named.ts';
import { reportOf } from './report.ts';
import { type Ranked, ranked } from './score.ts';
import { turnsOf } from './turns.ts';

/** Of a folder that has more, the first ones. */
const ENTRIES_MAX = 50_000;
/** Files whose imports are read, and how much of each: imports stand at the top. */
const READ_MAX = 4000;
const BYTES_MAX = 256 * 1024;

export interface Suggestion extends Ranked {
  /** About, by its size. */
  tokens: number;
}

/** The files of a pack, as it is now. */
export async function pathsOf(project: Project, pack: Pack): Promise<Set<string>> {
  const ground = groundOf(project);
  const { redaction } = project;
  const options = { redaction, sources: sourcesOf(project) };
  const { ranked: all } = await expand(ground, denials(ground), options, [pack]);
  return new Set(all.flatMap(({ path: file }) => file?.normalize('NFC') ?? []));
}

interface Asked {
  limit: number;
  /** How many sessions missed a file: as `report` has it. */
  missed?: ReadonlyMap<string, number>;
  /** The point that is asked of; files, commits and imports are those of now. */
  upto?: number;
}

/** Files that belong to these, none of them denied, generated, or ignored by git. */
export async function suggest(
  project: Project,
  files: ReadonlySet<string>,
  { limit, missed = new Map(), upto }: Asked,
): Promise<Suggestion[]> {
  const sizes = offered(project);
  const turns = turnsOf(project, upto);
  const offers = new Set(sizes.keys());
  const sessions = new Set(turns.map(({ session }) => session));
  const known = {
    turns,
    named: namedBy(project, sessions, offers, upto),
    commits: await commitsOf(project.dir),
    imports: importsIn(project, [...sizes.keys()]),
    files: offers,
    missed,
  };
  return ranked(known, files)
    .slice(0, limit)
    .map((one) => ({ ...one, tokens: estimateTokens(sizes.get(one.file)!) }));
}

/** Names and sizes of the files that a pack may have. */
function offered(project: Project): Map<string, number> {
  const { fs } = project.ports;
  const deniedBy = denials(groundOf(project));
  const { dir, root } = project;
  const isLeftOut = (name: string): boolean => isNoise(name) || deniedBy(name) !== undefined;
  const walk = { fs, dir, root, entriesMax: ENTRIES_MAX, isLeftOut };
  const found = walkTree({ ...walk, hasTime: () => true, met: () => undefined });
  return new Map(found.map(({ name, stat }) => [name.normalize('NFC'), stat.size]));
}

function importsIn(
  { dir, ports: { fs } }: Project,
  files: readonly string[],
): Map<string, Set<string>> {
  const imports = new Imports(files);
  const found = new Map<string, Set<string>>();
  for (const file of files.filter(isCode).slice(0, READ_MAX)) {
    try {
      const text = readFile(fs, path.join(dir, file), BYTES_MAX).toString('utf8');
      found.set(file, imports.of(file, text));
    } catch {
      // Too large, gone, or not ours to read: then nothing is known of what it imports.
    }
  }
  return found;
}

/**
 * The files of a pack by its name with what sessions missed in it, of a source for once, or a file itself.
 * @throws Ben10Error PACK_NOT_FOUND, USAGE
 */
export async function pathsAsked(
  project: Project,
  word: string,
): Promise<{ files: Set<string>; isPack: boolean; missed: ReadonlyMap<string, number> }> {
  const { dir, ports } = project;
  const isPack = fieldOf(packsAt(project).packs, word) !== undefined;
  const isFile =
    !isPack && !word.includes('\0') && ports.fs.statIfThere(path.join(dir, word))?.isFile === true;
  const [pack] = packsOf(project, [isFile ? fileSource(word) : word]);
  const { missed } = isPack ? reportOf(project, word) : { missed: [] };
  return {
    files: await pathsOf(project, pack!),
    isPack,
    missed: new Map(missed.map(({ file, sessions }) => [file, sessions])),
  };
}
