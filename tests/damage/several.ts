import type { Chance } from './chance.ts';
import { DAMAGES } from './damages.ts';
import type { Image, MemoryFs } from './memory-fs.ts';

const isLock = (file: string): boolean => file.endsWith('lock');
const isSegment = (file: string): boolean => /\.b10z?$/.test(file);

/** Files as somebody puts them there who is none of ben10's: a backup, a program for syncing, a person. */
function put(fs: MemoryFs, file: string, bytes: Buffer): void {
  if (fs.statIfThere(file) !== undefined) fs.unlink(file);
  const fd = fs.open(file, 'wx');
  fs.write(fd, bytes, 0);
  fs.close(fd);
}

type Change = (fs: MemoryFs, file: string, chance: Chance, earlier: readonly Image[]) => void;

const filesOf = ({ files }: Image): string[] => [...files.keys()].filter((file) => !isLock(file));
/** An inbox file that comes back brings its events once more, and nothing tells it from one that waits. */
const lasting = (image: Image): string[] => filesOf(image).filter((file) => !/\.evt$/.test(file));

/** What happens to the files of a folder. */
const CHANGES: Readonly<Record<string, Change>> = {
  gone: (fs, file) => fs.unlink(file),
  empty: (fs, file) => fs.rot(file, Buffer.alloc(0)),
  zeros: (fs, file) => fs.rot(file, Buffer.alloc(fs.bytesOf(file).length)),
  cut: (fs, file, chance) => {
    const bytes = fs.bytesOf(file);
    fs.rot(file, bytes.subarray(0, chance.below(bytes.length + 1)));
  },
  damaged: (fs, file, chance) => {
    const bytes = fs.bytesOf(file);
    const others = filesOf(fs.image()).map((one) => fs.bytesOf(one));
    if (bytes.length > 0) fs.rot(file, chance.pick(DAMAGES).damage(bytes, chance, others));
  },
  swapped: (fs, file, chance) => {
    const other = chance.pick(filesOf(fs.image()));
    const bytes = fs.bytesOf(other);
    fs.rot(other, fs.bytesOf(file));
    fs.rot(file, bytes);
  },
  'a copy of another one': (fs, file, chance) =>
    fs.rot(file, fs.bytesOf(chance.pick(filesOf(fs.image())))),
  'as it was before': (fs, _, chance, earlier) => {
    const before = chance.pick(earlier);
    const file = chance.pick(lasting(before));
    put(fs, file, before.files.get(file)!);
  },
  'most as they were before': (fs, _, chance, earlier) => {
    const before = chance.pick(earlier);
    for (const file of lasting(before))
      if (chance.below(3) > 0) put(fs, file, before.files.get(file)!);
  },
  'under a name beside its own': (fs, _, chance) => {
    const segments = filesOf(fs.image()).filter(isSegment);
    if (segments.length === 0) return;
    const file = chance.pick(segments);
    const [digits] = /\d{16}(?=\.b10)/.exec(file)!;
    const number = Math.max(1, Number(digits) + chance.between(-3, 9));
    const name = `${String(number).padStart(16, '0')}.${chance.pick(['b10', 'b10z'])}`;
    put(fs, file.replace(/[^/]+$/, name), fs.bytesOf(file));
  },
};

/**
 * Does something to some files of a journal, by chance.
 * @param earlier what stood there before, of which at least one has files
 * @returns what was done, for people
 */
export function changeSome(fs: MemoryFs, chance: Chance, earlier: readonly Image[]): string[] {
  return Array.from({ length: chance.between(1, 4) }, () => {
    const file = chance.pick(filesOf(fs.image()));
    const name = chance.pick(Object.keys(CHANGES));
    CHANGES[name]!(fs, file, chance, earlier);
    return `${name}: ${file}`;
  });
}
