import { seeded } from '../seeded.ts';
import { pick } from './chance.ts';
import {
  apply,
  contentAfter,
  copyOf,
  type DataOp,
  type DiskOp,
  type Image,
  isData,
  isName,
  type NameOp,
} from './image.ts';

/**
 * What a disk promises between two syncs.
 * - `paranoid`: only what POSIX says. Of everything that was not synced any part may be there after a loss of power,
 *   in any order; a file's size may be there without its bytes (zeros), and its bytes without its size.
 * - `ext4-ordered`: names change in order, any sync makes all changes of names before it durable, and a file's bytes
 *   are on disk before the size or the rename that makes them visible.
 */
export type Profile = 'paranoid' | 'ext4-ordered';

const SECTOR = 512;
const PAGE = 4096;
/** Of one file, how many of its possible contents are tried. */
const CONTENTS_MAX = 24;

/** What may or may not have reached the disk when the power went. */
interface Pending {
  /** Everything that is certain. */
  durable: Image;
  names: NameOp[];
  /** By file, what was done to it since its last sync, with its place in the log. */
  data: Map<number, { op: DataOp; at: number }[]>;
  /** By file, the place in the log of its last rename, which `ext4-ordered` looks at. */
  renamed: Map<NameOp, number>;
}

/** A rename from folder to folder is two changes, each of which may be lost alone. */
function inParts(op: NameOp, profile: Profile): NameOp[] {
  if (op.kind !== 'rename' || op.from === op.folder || profile === 'ext4-ordered') return [op];
  return [
    { kind: 'link', folder: op.folder, name: op.name, file: op.file },
    { kind: 'remove', folder: op.from, name: op.fromName },
  ];
}

function pendingAt(base: Image, log: readonly DiskOp[], upto: number, profile: Profile): Pending {
  const durable = copyOf(base);
  const pending: Pending = { durable, names: [], data: new Map(), renamed: new Map() };
  const synced = new Set<number>();
  const syncedFolders = new Set<number>();
  let isAnySynced = false;
  const kept: { op: DiskOp; at: number; isDurable: boolean }[] = [];
  for (let at = upto - 1; at >= 0; at -= 1) {
    const op = log[at]!;
    if (op.kind === 'sync') synced.add(op.file);
    else if (op.kind === 'syncFolder') syncedFolders.add(op.folder);
    if (!isData(op) && !isName(op)) isAnySynced = true;
    else if (isData(op)) kept.push({ op, at, isDurable: synced.has(op.file) });
    else
      for (const part of inParts(op, profile).reverse()) {
        const isDurable = profile === 'ext4-ordered' ? isAnySynced : syncedFolders.has(part.folder);
        kept.push({ op: part, at, isDurable });
      }
  }
  for (const { op, at, isDurable } of kept.reverse()) {
    if (isDurable) apply(durable, op);
    else if (isName(op)) {
      pending.names.push(op);
      pending.renamed.set(op, at);
    } else if (isData(op)) {
      const ops = pending.data.get(op.file) ?? [];
      ops.push({ op, at });
      pending.data.set(op.file, ops);
    }
  }
  return pending;
}

const allOf = (content: Buffer, ops: readonly DataOp[]): Buffer =>
  ops.reduce(contentAfter, content);

/** Where a write may have been cut: after a byte, at a sector's or a page's edge, just before its end. */
export function cutsOf({ at, bytes }: { at: number; bytes: Buffer }): number[] {
  const end = at + bytes.length;
  const edges = [SECTOR, PAGE].flatMap((size) => [
    Math.ceil((at + 1) / size) * size,
    Math.floor((end - 1) / size) * size,
  ]);
  const cuts = [at + 1, end - 1, end - 16, at + (bytes.length >> 1), ...edges];
  return [...new Set(cuts.filter((cut) => cut > at && cut < end).map((cut) => cut - at))];
}

/** A file's possible contents: all that was written, nothing of it, and the ways between. */
export function contentsOf(before: Buffer, ops: readonly DataOp[], profile: Profile): Buffer[] {
  const all = allOf(before, ops);
  const found = [all, before];
  const last = ops.at(-1)!;
  const earlier = ops.slice(0, -1);
  for (let count = 1; count < ops.length; count += 1)
    found.push(allOf(before, ops.slice(0, count)));
  if (last.kind === 'write')
    for (const cut of cutsOf(last))
      found.push(allOf(before, [...earlier, { ...last, bytes: last.bytes.subarray(0, cut) }]));
  if (profile === 'paranoid') found.push(...disordered(before, ops, all));
  const different = new Map(found.map((content) => [content.toString('latin1'), content]));
  return [...different.values()].slice(0, CONTENTS_MAX);
}

function disordered(before: Buffer, ops: readonly DataOp[], all: Buffer): Buffer[] {
  const old = Buffer.alloc(all.length);
  before.copy(old);
  // The size alone; each write or truncation missing between the others.
  const found = [
    old,
    ...ops.map((_, without) =>
      allOf(
        before,
        ops.filter((_, n) => n !== without),
      ),
    ),
  ];
  const writes = ops.filter((op) => op.kind === 'write');
  const from = Math.min(all.length, ...writes.map(({ at }) => at));
  for (const size of [SECTOR, PAGE]) {
    const first = Math.floor(from / size);
    const lastOne = Math.floor(Math.max(0, all.length - 1) / size);
    for (const sector of new Set([first, lastOne, (first + lastOne) >> 1])) {
      const hole = Buffer.from(all);
      old.copy(
        hole,
        Math.max(from, sector * size),
        Math.max(from, sector * size),
        (sector + 1) * size,
      );
      const only = Buffer.from(old);
      all.copy(only, sector * size, sector * size, (sector + 1) * size);
      found.push(hole, only);
    }
  }
  return found;
}

/** One state of the disk after a loss of power; `choice` tells it from the others at the same point. */
export interface CrashState {
  image: Image;
  choice: string;
}

export interface CrashStates {
  states: CrashState[];
  /** How many there are altogether. */
  possible: number;
}

/** The ways in which what is pending may have reached the disk, as numbers of options. */
interface Options {
  counts: number[];
  build(choice: readonly number[]): Image;
}

function paranoidOptions(pending: Pending): Options {
  const { durable, names } = pending;
  const contents = contentsByFile(pending, 'paranoid');
  return {
    counts: [...names.map(() => 2), ...contents.map(([, of]) => of.length)],
    build(choice) {
      const image = copyOf(durable);
      names.forEach((op, index) => {
        if (choice[index] === 0) apply(image, op);
      });
      contents.forEach(([file, of], index) => {
        image.files.set(file, of[choice[names.length + index]!]!);
      });
      return image;
    },
  };
}

function orderedOptions(pending: Pending): Options {
  const { durable, names, renamed, data } = pending;
  const contents = contentsByFile(pending, 'ext4-ordered');
  return {
    // Option 0 is "all of them", as everywhere.
    counts: [names.length + 1, ...contents.map(([, of]) => of.length)],
    build(choice) {
      const image = copyOf(durable);
      const done = names.slice(0, names.length - choice[0]!);
      for (const op of done) apply(image, op);
      contents.forEach(([file, of], index) => {
        const visible = done.findLast((op) => op.kind === 'rename' && op.file === file);
        const upto = visible === undefined ? -1 : renamed.get(visible)!;
        const ops = data.get(file)!;
        const forced = ops.filter(({ at }) => at < upto).map(({ op }) => op);
        const before = allOf(durable.files.get(file) ?? Buffer.alloc(0), forced);
        const rest = ops.slice(forced.length).map(({ op }) => op);
        const possible = forced.length === 0 ? of : restOf(before, rest);
        image.files.set(file, possible[choice[index + 1]! % possible.length]!);
      });
      return image;
    },
  };
}

const restOf = (before: Buffer, rest: DataOp[]): Buffer[] =>
  rest.length === 0 ? [before] : contentsOf(before, rest, 'ext4-ordered');

function contentsByFile({ durable, data }: Pending, profile: Profile): [number, Buffer[]][] {
  return [...data].map(([file, ops]) => {
    const before = durable.files.get(file) ?? Buffer.alloc(0);
    return [
      file,
      contentsOf(
        before,
        ops.map(({ op }) => op),
        profile,
      ),
    ];
  });
}

/**
 * States that a loss of power can leave, at most `cap`: first all and nothing, then each thing lost alone and kept
 * alone, then others by chance.
 * @param upto how much of the log had happened
 */
export function crashStates(
  base: Image,
  log: readonly DiskOp[],
  upto: number,
  profile: Profile,
  cap: number,
): CrashStates {
  const pending = pendingAt(base, log, upto, profile);
  const { counts, build } =
    profile === 'paranoid' ? paranoidOptions(pending) : orderedOptions(pending);
  const possible = counts.reduce((product, count) => product * count, 1);
  const chosen = new Map<string, number[]>();
  const add = (choice: number[]) => {
    if (chosen.size < cap) chosen.set(choice.join(','), choice);
  };
  const all = counts.map(() => 0);
  const none = counts.map((count) => Math.min(1, count - 1));
  add(all);
  add(none);
  const chance = seeded(upto * 31 + log.length);
  const single: number[][] = [];
  counts.forEach((count, unit) => {
    for (let option = 1; option < count; option += 1) single.push(all.with(unit, option));
    for (let option = 0; option < count; option += 1)
      if (option !== 1) single.push(none.with(unit, option));
  });
  // Not always the first ones when the cap is small.
  const start = pick(chance, single.length || 1);
  for (const choice of [...single.slice(start), ...single.slice(0, start)]) add(choice);
  for (let tries = 0; chosen.size < Math.min(cap, possible) && tries < cap * 4; tries += 1)
    add(counts.map((count) => pick(chance, count)));
  return {
    states: [...chosen].map(([choice, numbers]) => ({ choice, image: build(numbers) })),
    possible,
  };
}

/** The disk as processes saw it when so much had happened to it. */
export function cacheAt(base: Image, log: readonly DiskOp[], upto: number): Image {
  const image = copyOf(base);
  for (const op of log.slice(0, upto)) apply(image, op);
  return image;
}

/** What the death of all processes leaves: everything they did, the last write perhaps cut. */
export function killStates(base: Image, log: readonly DiskOp[], upto: number): CrashState[] {
  const image = cacheAt(base, log, upto);
  const states = [{ choice: 'all', image }];
  const next = log[upto];
  if (next?.kind !== 'write') return states;
  for (const cut of cutsOf(next)) {
    const cutImage = copyOf(image);
    apply(cutImage, { ...next, bytes: next.bytes.subarray(0, cut) });
    states.push({ choice: `cut ${cut}`, image: cutImage });
  }
  return states;
}
