import { getBlob, listBlobs } from '../journal/append/blobs.ts';
import { isErasedFileDamaged } from '../journal/erase/erased-ids.ts';
import { CONTAINER_FILE_BYTES_MAX, decodeContainer } from '../journal/format/container.ts';
import { FRAME_KIND } from '../journal/format/format.ts';
import { isHintDamaged } from '../journal/format/hint.ts';
import { readManifest } from '../journal/format/manifest.ts';
import { allSegments } from '../journal/read/all-entries.ts';
import { errno } from '../platform/errors.ts';
import { readdirIfThere, readFile, withFile } from '../platform/files.ts';
import type { Project } from '../project/open.ts';
import type { Finder } from './finder.ts';
import { OWN_NAMES } from './own-names.ts';
import { fateOf, NO_BLOBS } from './redact-event.ts';

/** A place where it still stands. */
export interface Left {
  /** Below `.ben10`. */
  file: string;
  /**
   * A person's own settings are not changed, nor a journal that was left where it was when its place was changed; of a segment
   * only what can be read as events is; of what cannot be read nobody knows; anything else should not be there.
   */
  what: 'settings' | 'segment' | 'data' | 'abandoned' | 'unread';
}

/** A folder with a journal. */
type Place = Pick<Project, 'root' | 'ports' | 'layout' | 'decoders'>;

/** Written by a person, and what is made of it. */
const SETTINGS = new Set(['config.yaml', 'config.json', 'hook-config.json', '.gitignore']);
/** ben10 makes folders three deep. */
const DEPTH_MAX = 8;
const SEGMENT = /^journal\/[0-9a-f]{32}\/\d+\.b10z?$/;
const HINT = /^journal\/[0-9a-f]{32}\/synced$/;
/** Files that have names of fields and types in them whatever they tell. */
const NAMED = /^(?:journal|checkpoints|compaction-snapshots|current)\b/;

/** Looks through all events and all texts beside them for what should be gone. */
export function findLeft({ root, ports, layout, decoders }: Place, finder: Finder): Left[] {
  const left: Left[] = [];
  for (const { file, entries } of allSegments(ports, layout, decoders)) {
    const isLeft = entries.some(
      ({ kind, payload }) =>
        kind === FRAME_KIND.event && fateOf(payload, finder, NO_BLOBS) !== 'stays',
    );
    if (isLeft) left.push({ file: file.path.slice(root.length + 1), what: 'segment' });
  }
  for (const name of listBlobs(ports, layout)) {
    const plain = getBlob(ports, layout, name, decoders);
    if (plain !== undefined && finder.isIn(plain))
      left.push({ file: `blobs/${name}`, what: 'data' });
  }
  return left;
}

/**
 * The same in the bytes of every file below `.ben10`, as they lie there and unpacked. Where a name of ben10's own is like
 * it, that name is passed over in the files that have such names.
 */
export function findInFiles(project: Place, finder: Finder): Left[] {
  const { root } = project;
  const isInOthers = besideOwnNames(finder.isInFile);
  return filesBelow(project, root, 0)
    .map((path) => path.slice(root.length + 1))
    .filter((file) => !isOfNumbers(project, file))
    .filter((file) =>
      isHeld(project, `${root}/${file}`, NAMED.test(file) ? isInOthers : finder.isInFile),
    )
    .map((file) => ({ file, what: whatIs(file) }));
}

/** Files below the root that cannot be looked into: too large, without the right to, or with a name that is no text. */
export function findUnread({ root, ports }: Pick<Place, 'root' | 'ports'>): string[] {
  const isUnread = (path: string): boolean => {
    try {
      return withFile(ports.fs, path, CONTAINER_FILE_BYTES_MAX, () => false);
    } catch (error) {
      if (errno(error) === undefined) throw error;
      // What is gone meanwhile holds nothing.
      return errno(error) !== 'ENOENT' || isGarbled(path);
    }
  };
  return filesBelow({ ports }, root, 0)
    .filter(isUnread)
    .map((path) => path.slice(root.length + 1));
}

/** Node gives a name that is no UTF-8 with this sign in it, and finds nothing by it. */
const isGarbled = (name: string): boolean => name.includes('\ufffd');

/**
 * Whether it is one of the files that have room for ids and numbers alone, and sound: a text that is like some of these does not
 * stand there.
 */
function isOfNumbers({ root, ports, layout }: Place, file: string): boolean {
  if (file === 'journal/manifest') return readManifest(ports, layout) !== undefined;
  if (file === 'journal/erased') return !isErasedFileDamaged(ports, layout);
  return HINT.test(file) && !isHintDamaged(ports, `${root}/${file}`);
}

function whatIs(file: string): Left['what'] {
  if (SETTINGS.has(file)) return 'settings';
  return SEGMENT.test(file) ? 'segment' : 'data';
}

/** The same where the names that ben10 gave are passed over. */
export function besideOwnNames(isIn: Finder['isIn']): Finder['isIn'] {
  const like = OWN_NAMES.filter((name) => isIn(Buffer.from(name)));
  return (bytes) => isIn(without(like, bytes));
}

/** The longest first: one name can be a part of another. */
function without(names: readonly string[], bytes: Buffer): Buffer {
  if (names.length === 0) return bytes;
  const sorted = names.toSorted((a, b) => b.length - a.length);
  const text = sorted.reduce((left, name) => left.replaceAll(name, ' '), bytes.toString('latin1'));
  return Buffer.from(text, 'latin1');
}

/** Whether a file's bytes hold it, as they lie there or unpacked; false when it cannot be read. */
export function isHeld(
  project: Pick<Place, 'ports' | 'decoders'>,
  path: string,
  isIn: Finder['isIn'],
): boolean {
  const { ports, decoders } = project;
  const bytes = bytesOf(project, path);
  if (bytes === undefined) return false;
  const plain = decodeContainer(bytes, decoders, ports.xxh64);
  return isIn(bytes) || (plain !== undefined && isIn(plain));
}

function filesBelow(project: Pick<Place, 'ports'>, dir: string, depth: number): string[] {
  if (depth > DEPTH_MAX) return [];
  const { fs } = project.ports;
  return readdirIfThere(fs, dir).flatMap((name) => {
    const path = `${dir}/${name}`;
    const stat = fs.statIfThere(path);
    if (stat?.isDirectory === true) return filesBelow(project, path, depth + 1);
    return stat?.isFile === true || (stat === undefined && isGarbled(name)) ? [path] : [];
  });
}

/** Undefined when it is gone, or cannot be read. */
function bytesOf({ ports }: Pick<Place, 'ports'>, path: string): Buffer | undefined {
  try {
    return readFile(ports.fs, path, CONTAINER_FILE_BYTES_MAX);
  } catch (error) {
    if (errno(error) === undefined) throw error;
    return undefined;
  }
}
