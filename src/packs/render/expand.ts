import path from 'node:path';
import { type RedactionOptions, redactText } from '../../capture/redaction/index.ts';
import { Ben10Error } from '../../platform/errors.ts';
import { withVisible } from '../../projections/safe-text.ts';
import { walkTree } from '../../timetravel/disk-walk.ts';
import type { Ground, Past } from './file.ts';
import { folderOf, matcherOf, namedBy } from './glob.ts';
import type { Artifact, Candidate, Left, Lines, Pack, Reason, Sources } from './pack.ts';
import { type DeniedBy, isNoise } from './sensitive.ts';
import { isMarkdown, placeIn, restIn, suffixOf } from './source.ts';
import { byteText } from './tokens.ts';

const ENTRIES_MAX = 200_000;

export interface Expanded {
  /** The most wanted first, nothing twice. */
  ranked: Candidate[];
  left: Left[];
  /** How many files each collection had before `maxFiles`. */
  found: Map<Artifact, number>;
}

interface Around {
  redaction: RedactionOptions;
  sources?: Sources;
  past?: Past | undefined;
}

/** All that packs name, in their order, without reading a file. @throws Ben10Error LIMIT_EXCEEDED */
export async function expand(
  ground: Ground,
  deniedBy: DeniedBy,
  { redaction, sources, past }: Around,
  packs: readonly Pack[],
): Promise<Expanded> {
  const expanded: Expanded = { ranked: [], left: [], found: new Map() };
  const all = packs.flatMap(({ artifacts }, pack) =>
    artifacts.map((artifact) => ({ pack, artifact })),
  );
  const collections = all.map(({ artifact }) => artifact).filter(isCollection);
  const walked = sortedFiles(ground, deniedBy, past, collections);
  const candidates: Candidate[] = [];
  const told = new Set<string>();
  /** Each file once, however many artifacts name it. */
  const leave = (candidate: Candidate, reason: Reason): void => {
    const { path: file } = candidate;
    if (file !== undefined && told.size === told.add(file).size) return;
    expanded.left.push({ candidate, reason });
  };
  for (const { pack, artifact } of all) {
    const named = (file: string, lines?: Lines): Candidate => {
      const shown = withVisible(redactText(file.normalize('NFC'), redaction).text);
      const label = lines === undefined ? shown : `${shown}${suffixOf(lines)}`;
      const attributes = { path: shown };
      return { pack, artifact, label, attributes, path: file, ...(lines && { lines }) };
    };
    if (artifact.kind === 'text') {
      const text = artifact.text ?? '';
      candidates.push({ pack, artifact, label: 'text', attributes: {}, text });
    } else if (isCollection(artifact)) {
      const files = await collected(deniedBy, artifact, walked);
      const taken = files.filter(({ reason }) => reason === undefined);
      expanded.found.set(artifact, taken.length);
      for (const { name } of taken.slice(0, artifact.options.maxFiles))
        candidates.push({ ...named(name), isFound: true });
      for (const { name, reason } of files) if (reason !== undefined) leave(named(name), reason);
    } else if (isBeside(artifact)) {
      for (const found of (await sources?.(artifact)) ?? []) {
        const { reason, ...what } = { reason: undefined, ...found };
        const candidate =
          'path' in what ? { ...named(what.path), ...what } : { pack, artifact, ...what };
        if (reason === undefined) candidates.push(candidate);
        else leave(candidate, reason);
      }
    } else {
      const place = placeIn(artifact);
      candidates.push(named(place.path, place.lines));
    }
  }
  const ranked = candidates.toSorted(
    (a, b) =>
      b.artifact.priority - a.artifact.priority ||
      a.pack - b.pack ||
      a.artifact.added - b.artifact.added,
  );
  expanded.ranked = [...withoutDuplicates(ranked, expanded.left)];
  return expanded;
}

const isBeside = ({ kind }: Artifact): boolean =>
  kind === 'git' || kind === 'cmd' || kind === 'journal';

const isCollection = ({ kind }: Artifact): boolean => kind === 'glob' || kind === 'md_dir';

interface Named {
  name: string;
  /** As patterns see it. */
  shown: string;
  /** Of what the walk could not look at. */
  unread?: 'file' | 'folder';
}

interface Collected extends Named {
  reason: Reason | undefined;
}

function sortedFiles(
  ground: Ground,
  deniedBy: DeniedBy,
  past: Past | undefined,
  collections: readonly Artifact[],
): Named[] {
  if (collections.length === 0) return [];
  const files: readonly Omit<Named, 'shown'>[] =
    past?.names.map((name) => ({ name })) ?? walkedFor(ground, deniedBy, collections);
  return files
    .map((file) => {
      const shown = file.name.normalize('NFC');
      return { ...file, shown, key: byteText(shown) };
    })
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.name < b.name ? -1 : 1));
}

function walkedFor(
  ground: Ground,
  deniedBy: DeniedBy,
  collections: readonly Artifact[],
): Omit<Named, 'shown'>[] {
  const tops = collections.map(topOf);
  const isAllowed = collections.some(({ options }) => options.allowSensitive === true);
  const mayHold = (folder: string): boolean =>
    tops.some((top) => areRelated(folder.normalize('NFC'), top));
  const unread: { name: string; unread: 'file' | 'folder' }[] = [];
  const files = walkTree({
    fs: ground.fs,
    dir: ground.dir,
    root: ground.root,
    entriesMax: ENTRIES_MAX,
    isLeftOut: (name, { isDirectory }) =>
      isDirectory && (!mayHold(name) || (!isAllowed && deniedBy(name) !== undefined)),
    hasTime: () => true,
    unread: (name, isFolder) => unread.push({ name, unread: isFolder ? 'folder' : 'file' }),
    met: (limit) => {
      throw new Ben10Error('LIMIT_EXCEEDED', `looking for files stopped when ${limit}`, {
        next: 'Name a folder in the pattern: glob:src/**',
      });
    },
  });
  return [...files.map(({ name }) => ({ name })), ...unread];
}

/** The folder of a collection; empty for the project's own. */
function topOf(artifact: Artifact): string {
  if (artifact.kind === 'glob') return folderOf(restIn(artifact).normalize('NFC'));
  const { path: dir } = placeIn(artifact);
  return dir === '.' ? '' : dir.normalize('NFC');
}

const isBelow = (name: string, folder: string): boolean =>
  folder === '' || name === folder || name.startsWith(`${folder}/`);

const areRelated = (a: string, b: string): boolean => isBelow(a, b) || isBelow(b, a);

async function collected(
  deniedBy: DeniedBy,
  artifact: Artifact,
  walked: readonly Named[],
): Promise<Collected[]> {
  const { options } = artifact;
  const isExcluded = await matcherOf(options.exclude ?? []);
  const isOne = await memberOf(artifact);
  const isDenied = (name: string): boolean =>
    options.allowSensitive !== true && deniedBy(name) !== undefined;
  const top = topOf(artifact);
  // The walk did not enter it.
  if (top !== '' && isDenied(top)) return [{ name: top, shown: top, reason: 'denied' }];
  const isIn = ({ shown, unread }: Named): boolean =>
    unread === 'folder' ? areRelated(shown, top) : isOne(shown) && !isExcluded(shown);
  return walked.filter(isIn).map((file) => ({
    ...file,
    reason: isDenied(file.name) ? 'denied' : file.unread && 'unreadable',
  }));
}

async function memberOf(artifact: Artifact): Promise<(shown: string) => boolean> {
  if (artifact.kind === 'glob') {
    const pattern = restIn(artifact);
    const matches = await matcherOf([pattern]);
    const wanted = namedBy(pattern)?.normalize('NFC');
    return (shown) => matches(shown) && (!isNoise(shown) || path.posix.basename(shown) === wanted);
  }
  const top = topOf(artifact);
  const isIn = (shown: string): boolean =>
    artifact.options.recursive === true
      ? isBelow(shown, top)
      : path.posix.dirname(shown) === (top || '.');
  return (shown) => isMarkdown(shown) && isIn(shown);
}

/**
 * A file or a text that stands there already, and a range of a file that is there whole at no lower priority, whose place the whole
 * takes if it is the better one.
 */
function* withoutDuplicates(ranked: readonly Candidate[], left: Left[]): Generator<Candidate> {
  const wholes = new Map<string, Candidate>();
  for (const one of ranked)
    if (one.path !== undefined && one.lines === undefined && !wholes.has(one.path))
      wholes.set(one.path, one);
  const seen = new Set<string>();
  const keyOf = ({ path: file, text, lines, attributes }: Candidate): string =>
    JSON.stringify([file ?? attributes, text, lines]);
  const isNew = (one: Candidate): boolean => seen.size < seen.add(keyOf(one)).size;
  for (const one of ranked) {
    const whole = one.lines === undefined ? undefined : wholes.get(one.path!);
    if (whole === undefined || whole.artifact.priority < one.artifact.priority) {
      if (isNew(one)) yield one;
      else if (wholes.get(one.path ?? '') !== one)
        left.push({ candidate: one, reason: 'duplicate' });
    } else {
      left.push({ candidate: one, reason: 'duplicate' });
      if (isNew(whole)) yield { ...whole, pack: one.pack };
    }
  }
}
