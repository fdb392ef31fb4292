import { hash } from 'node:crypto';

/** What is on a disk at rest. Buffers in it are never changed, only replaced, so that copies can share them. */
export interface Image {
  files: Map<number, Buffer>;
  /** Names in each folder, to the number of a file or folder. */
  folders: Map<number, Map<string, number>>;
}

export const ROOT = 1;
const NOTHING = Buffer.alloc(0);

/** One change of a disk, or a sync. Together in order they are all that ever happened to it. */
export type DiskOp =
  | { kind: 'write'; file: number; at: number; bytes: Buffer }
  | { kind: 'truncate'; file: number; size: number }
  | { kind: 'link'; folder: number; name: string; file: number }
  | { kind: 'remove'; folder: number; name: string }
  | { kind: 'rename'; folder: number; name: string; file: number; from: number; fromName: string }
  | { kind: 'sync'; file: number }
  | { kind: 'syncFolder'; folder: number };

export type DataOp = Extract<DiskOp, { kind: 'write' | 'truncate' }>;
export type NameOp = Extract<DiskOp, { kind: 'link' | 'remove' | 'rename' }>;

export const isData = (op: DiskOp): op is DataOp => op.kind === 'write' || op.kind === 'truncate';
export const isName = (op: DiskOp): op is NameOp =>
  op.kind === 'link' || op.kind === 'remove' || op.kind === 'rename';

export const emptyImage = (): Image => ({
  files: new Map(),
  folders: new Map([[ROOT, new Map()]]),
});

export function copyOf(image: Image): Image {
  const folders = new Map<number, Map<string, number>>();
  for (const [folder, names] of image.folders) folders.set(folder, new Map(names));
  return { files: new Map(image.files), folders };
}

export function contentAfter(content: Buffer, op: DataOp): Buffer {
  if (op.kind === 'truncate') {
    const cut = Buffer.alloc(op.size);
    content.copy(cut, 0, 0, Math.min(op.size, content.length));
    return cut;
  }
  const grown = Buffer.alloc(Math.max(content.length, op.at + op.bytes.length));
  content.copy(grown);
  op.bytes.copy(grown, op.at);
  return grown;
}

/** Does one change; syncs change nothing. */
export function apply(image: Image, op: DiskOp): void {
  if (isData(op)) {
    image.files.set(op.file, contentAfter(image.files.get(op.file) ?? Buffer.alloc(0), op));
    return;
  }
  if (op.kind !== 'sync' && op.kind !== 'syncFolder' && op.kind !== 'remove') {
    // A name can outlive what was written under it.
    if (!image.folders.has(op.file) && !image.files.has(op.file))
      image.files.set(op.file, Buffer.alloc(0));
  }
  if (op.kind === 'remove') image.folders.get(op.folder)?.delete(op.name);
  if (op.kind === 'link') image.folders.get(op.folder)?.set(op.name, op.file);
  if (op.kind === 'rename') {
    image.folders.get(op.from)?.delete(op.fromName);
    image.folders.get(op.folder)?.set(op.name, op.file);
  }
}

/** Every file that can be reached, by path. */
export function filesIn(image: Image, folder = ROOT, path = ''): [string, Buffer][] {
  const found: [string, Buffer][] = [];
  for (const [name, number] of [...image.folders.get(folder)!].sort(([a], [b]) =>
    a < b ? -1 : 1,
  )) {
    const at = `${path}/${name}`;
    if (image.folders.has(number)) found.push([`${at}/`, NOTHING], ...filesIn(image, number, at));
    else found.push([at, image.files.get(number) ?? NOTHING]);
  }
  return found;
}

/** 64 bits in two halves: a harness asks for more digests than a hash function of the library could give in the time. */
type Sum = readonly [low: number, high: number];

/** Of a text or bytes that are never changed, only replaced: from a real hash. */
const summed = (content: Buffer | string): Sum => {
  const digest = hash('sha1', content, 'buffer');
  return [digest.readInt32LE(0), digest.readInt32LE(4)];
};
const contents = new WeakMap<Buffer, Sum>();
const names = new Map<string, Sum>();
const NAMES_MAX = 10_000;

function sumOf(content: Buffer): Sum {
  const known = contents.get(content);
  if (known !== undefined) return known;
  const sum = summed(content);
  contents.set(content, sum);
  return sum;
}

function sumOfName(name: string): Sum {
  const known = names.get(name);
  if (known !== undefined) return known;
  if (names.size > NAMES_MAX) names.clear();
  const sum = summed(name);
  names.set(name, sum);
  return sum;
}

/** MurmurHash3's last step: every bit of what goes in changes half of those that come out. */
function mixed(value: number): number {
  let bits = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
/** One behind the other: the order counts. */
const joined = ([low, high]: Sum, [nextLow, nextHigh]: Sum): Sum => [
  mixed(Math.imul(low, 5) + nextLow + (nextHigh << 7)),
  mixed(Math.imul(high, 3) + nextHigh + (nextLow << 9) + 1),
];
const FOLDER: Sum = [0x5f3759df, 0x9e3779b1 | 0];

/** The sum over a folder's names in any order, each with what is under it. */
function sumOfFolder({ files, folders }: Image, folder: number, path: Sum): Sum {
  let low = 0;
  let high = 0;
  for (const [name, number] of folders.get(folder)!) {
    const at = joined(path, sumOfName(name));
    const isFolder = folders.has(number);
    const own = joined(at, isFolder ? FOLDER : sumOf(files.get(number) ?? NOTHING));
    const inner = isFolder ? sumOfFolder({ files, folders }, number, at) : ([0, 0] as const);
    low = (low + own[0] + inner[0]) | 0;
    high = (high + own[1] + inner[1]) | 0;
  }
  return [low, high];
}

/** Two images of one digest have the same files and folders, but for one chance in 2^64. */
export const digestOf = (image: Image): string => sumOfFolder(image, ROOT, FOLDER).join(' ');

/** The number of the file at a path; undefined when there is none. */
export function fileAt(image: Image, path: string): number | undefined {
  let at: number | undefined = ROOT;
  for (const name of path.split('/')) {
    if (name !== '') at = at === undefined ? undefined : image.folders.get(at)?.get(name);
  }
  return at;
}
