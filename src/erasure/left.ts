import { listBlobs } from '../journal/append/blobs.ts';
import { isErasedFileDamaged } from '../journal/erase/erased-ids.ts';
import { CONTAINER_FILE_BYTES_MAX, decodeContainer } from '../journal/format/container.ts';
import { FRAME_KIND } from '../journal/format/format.ts';
import { isHintDamaged } from '../journal/format/hint.ts';
import { readManifest } from '../journal/format/manifest.ts';
import { allSegments } from '../journal/read/all-entries.ts';
import { errno, unlessRefused } from '../platform/errors.ts';
import { readdirIfThere, readFile, withFile } from '../platform/files.ts';
import type { Project } from '../project/open.ts';
import type { Finder } from './finder.ts';
import { OWN_NAMES } from './own-names.ts';
import { blobReader, fateOf, NO_BLOBS } from './redact-event.ts';

/** A place where it remains. */
export interface Left {
  /** Below `.ben10`. */
  file: string;
  /**
   * `settings`, handoff `document`s and `abandoned` journals are people's; of a `segment` only readable events are changed; `unread`
   * could not be searched; `data` should not be there.
   */
  what: 'settings' | 'document' | 'segment' | 'data' | 'abandoned' | 'unread';
}

/** A folder with a journal. */
type Place = Pick<Project, 'root' | 'ports' | 'layout' | 'decoders'>;

interface FileKind {
  name: RegExp;
  what: Left['what'];
  /** It contains names of fields and types in any case. */
  hasNames?: true;
  /** A sound file has room for ids and numbers alone: a match is a coincidence. */
  isNumbers?(place: Place, path: string): boolean;
}

/** All files below `.ben10` by name: the first match counts. */
const FILES: readonly FileKind[] = [
  { name: /^(?:config\.(?:yaml|json)|hook-config\.json|local|\.gitignore)$/, what: 'settings' },
  {
    name: /^journal\/manifest$/,
    what: 'data',
    isNumbers: ({ ports, layout }) => readManifest(ports, layout) !== undefined,
  },
  {
    name: /^journal\/erased$/,
    what: 'data',
    isNumbers: ({ ports, layout }) => !isErasedFileDamaged(ports, layout),
  },
  {
    name: /^journal\/[0-9a-f]{32}\/synced$/,
    what: 'data',
    isNumbers: ({ ports }, path) => !isHintDamaged(ports, path),
  },
  { name: /^journal\/[0-9a-f]{32}\/\d+\.b10z?$/, what: 'segment', hasNames: true },
  {
    name: /^(?:journal|checkpoints|compaction-snapshots|pack-payloads|current)\b/,
    what: 'data',
    hasNames: true,
  },
  { name: /^/, what: 'data' },
];
/** ben10 makes folders three deep. */
const DEPTH_MAX = 8;

/** Where it remains below `.ben10`: in decoded events and blobs, and in the bytes of every file. */
export function findLeft(place: Place, finder: Finder): Left[] {
  const left = [...inEvents(place, finder), ...inFiles(place, finder)];
  return [...new Map(left.map((one) => [one.file, one])).values()];
}

function* inEvents(place: Place, finder: Finder): Generator<Left> {
  const { root, ports, layout, decoders } = place;
  for (const { file, entries } of allSegments(ports, layout, decoders)) {
    const isLeft = entries.some(
      ({ kind, payload }) =>
        kind === FRAME_KIND.event && fateOf(payload, finder, NO_BLOBS) !== 'stays',
    );
    if (isLeft) yield { file: file.path.slice(root.length + 1), what: 'segment' };
  }
  const read = blobReader(place);
  for (const name of listBlobs(ports, layout)) {
    const text = read(name);
    if (text !== undefined && finder.withoutIt(text) !== text)
      yield { file: `blobs/${name}`, what: 'data' };
  }
}

function* inFiles(place: Place, finder: Finder): Generator<Left> {
  const besideNames = besideOwnNames(finder.isIn);
  for (const path of filesBelow(place, place.root)) {
    const file = path.slice(place.root.length + 1);
    const { what, hasNames, isNumbers } = FILES.find(({ name }) => name.test(file))!;
    if (isNumbers?.(place, path) === true) continue;
    if (isHeld(place, path, hasNames ? besideNames : finder.isIn)) yield { file, what };
  }
}

/** Files that cannot be searched: too large, unreadable, or with a name that is no text. */
export function findUnread({ root, ports }: Pick<Place, 'root' | 'ports'>): string[] {
  const isUnread = (path: string): boolean => {
    try {
      return withFile(ports.fs, path, CONTAINER_FILE_BYTES_MAX, () => false);
    } catch (error) {
      if (errno(error) === undefined) throw error;
      // A file that is gone holds nothing.
      return errno(error) !== 'ENOENT' || isGarbled(path);
    }
  };
  return filesBelow({ ports }, root)
    .filter(isUnread)
    .map((path) => path.slice(root.length + 1));
}

/** Node puts this character into a name that is no UTF-8, and cannot open it. */
const isGarbled = (name: string): boolean => name.includes('\ufffd');

/** The same check without ben10's own names. */
export function besideOwnNames(isIn: Finder['isIn']): Finder['isIn'] {
  // The longest first: one name can be part of another.
  const like = OWN_NAMES.filter((name) => isIn(Buffer.from(name))).sort(
    (a, b) => b.length - a.length,
  );
  if (like.length === 0) return isIn;
  return (bytes) => {
    const text = bytes.toString('latin1');
    const rest = like.reduce((left, name) => left.replaceAll(name, ' '), text);
    return isIn(Buffer.from(rest, 'latin1'));
  };
}

/** Whether a file's bytes hold it, raw or unpacked; false if it is gone or unreadable. */
export function isHeld(
  { ports, decoders }: Pick<Place, 'ports' | 'decoders'>,
  path: string,
  isIn: Finder['isIn'],
): boolean {
  const read = () => readFile(ports.fs, path, CONTAINER_FILE_BYTES_MAX);
  const bytes = unlessRefused(read, undefined);
  if (bytes === undefined) return false;
  const plain = decodeContainer(bytes, decoders, ports.xxh64);
  return isIn(bytes) || (plain !== undefined && isIn(plain));
}

function filesBelow({ ports }: Pick<Place, 'ports'>, dir: string, depth = 0): string[] {
  if (depth > DEPTH_MAX) return [];
  return readdirIfThere(ports.fs, dir).flatMap((name) => {
    const path = `${dir}/${name}`;
    const stat = ports.fs.statIfThere(path);
    if (stat?.isDirectory === true) return filesBelow({ ports }, path, depth + 1);
    return stat?.isFile === true || (stat === undefined && isGarbled(name)) ? [path] : [];
  });
}
