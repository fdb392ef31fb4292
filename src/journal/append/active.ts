import { dirname } from 'node:path';
import { readFile, writeFileAtomic } from '../../platform/files.ts';
import { randomHex } from '../../platform/random.ts';
import {
  SEGMENT_AGE_MS_MAX,
  SEGMENT_BYTES_MAX,
  SEGMENT_FLAG,
  SEGMENT_HEADER_BYTES,
} from '../format/format.ts';
import { HintFile, hintPath, NO_HINT, readHint, type SyncHint } from '../format/hint.ts';
import {
  type Layout,
  listOrigin,
  originDir,
  refuseUnsafe,
  type SegmentFile,
  segmentPath,
} from '../format/layout.ts';
import { type LostManifest, type Manifest, openManifest } from '../format/manifest.ts';
import type { JournalPorts } from '../format/ports.ts';
import { FolderWatch } from '../read/folder-watch.ts';
import { isAtHome, openSegment } from '../read/open.ts';
import { endOf, endPast, type KnownEnd, tailOf } from '../read/segment-end.ts';
import { setStraysAside } from '../read/stray.ts';
import { beginAnew, originsOf, settleCopy } from './copied.ts';
import type { OwnFact } from './own-events.ts';
import { hasHole, lossBehind, type Repair, recoverTail } from './recover.ts';
import { createSegment } from './rotate.ts';
import { readTail, type Tail, WINDOW_BYTES } from './tail.ts';

/** The open segment, as one writer sees it. Others may have written, rotated or compacted since, so each `open` looks again. */
export class ActiveSegment {
  readonly #ports: JournalPorts;
  readonly #layout: Layout;
  #manifest: Manifest | undefined;
  #tail: Tail | undefined;
  #folder: FolderWatch | undefined;
  /** When the folder changed last, as seen before it was listed. */
  #listedAt = 0;
  /** A segment whose sync failed: nothing is ever appended to it again. */
  #distrusted: string | undefined;
  /** What this process knows of the last sync; may be stale. */
  hint: SyncHint = NO_HINT;
  #hintFile: HintFile | undefined;

  constructor(ports: JournalPorts, layout: Layout) {
    this.#ports = ports;
    this.#layout = layout;
  }

  get hintPath(): string {
    return hintPath(this.#layout, this.#manifest!.origin);
  }

  get origin(): string {
    return this.#manifest!.origin;
  }

  /** The segment as `open` left it, for what is done after the lock is given back. */
  get tail(): Tail {
    return this.#tail!;
  }

  /** Call with the lock held. @returns events that the journal has to record first: a repair, or that it is a copy */
  open(): OwnFact[] {
    if (this.#tail !== undefined && this.#isCurrent(this.#tail)) return [];
    this.close();
    const { manifest, isNew, lost } = openManifest(this.#ports, this.#layout);
    this.#manifest = settleCopy(this.#ports, this.#layout, manifest);
    const facts = this.#openNewest(isNew);
    return lost === undefined ? facts : [...facts, rebuilt(lost)];
  }

  #openNewest(isNew: boolean): OwnFact[] {
    const { origin, erasing, dropping } = this.#manifest!;
    const dir = originDir(this.#layout, origin);
    this.#folder = new FolderWatch(this.#ports, dir);
    this.#listedAt = refuseUnsafe(this.#ports.fs, dir)?.mtimeMs ?? 0;
    this.hint = readHint(this.#ports, this.hintPath);
    this.#hintFile = new HintFile(this.#ports, this.hintPath);
    const home = { journalId: this.#manifest!.journalId, origins: originsOf(this.#manifest!) };
    const listed = listOrigin(this.#ports.fs, this.#layout, origin, home);
    const { syncedUpto } = this.hint;
    // What was begun names its origin.
    const isBusy = (erasing ?? dropping) !== undefined;
    if (listed.length === 0 && syncedUpto === 0 && !isNew && !isBusy) {
      this.#manifest = beginAnew(this.#ports, this.#layout, this.#manifest!);
      return this.#openNewest(true);
    }
    const { files, repairs } = setStraysAside(this.#ports, this.#layout, listed, syncedUpto);
    const newest = files.at(-1);
    if (newest !== undefined && !newest.sealed) return [...repairs, ...this.#openAt(newest, files)];
    const known = this.#endOf(newest);
    const end = known.flags === 0 ? known : endPast(this.#ports, files, known);
    const facts = [...repairs, ...lossBehind(this.#ports, newest, end), ...this.#copied(newest)];
    this.#tail = this.#create(end);
    return facts;
  }

  /** Reports that the newest segment belongs to the journal that this one was copied from. @param tail of the open segment */
  #copied(newest: SegmentFile | undefined, tail?: Tail): OwnFact[] {
    const { origin, formerly } = this.#manifest!;
    if (newest === undefined || formerly === undefined) return [];
    const isAtHand = tail?.path === newest.path;
    const header = isAtHand ? tail.header : openSegment(this.#ports, newest)?.header;
    const named = header?.originId.toString('hex');
    return named === undefined || named === origin ? [] : [{ copied: { from: named, origin } }];
  }

  #isCurrent(tail: Tail): boolean {
    const { size, nlink, ino } = this.#ports.fs.fstat(tail.fd);
    if (size !== tail.size || nlink !== 1 || tail.path === this.#distrusted) return false;
    const folder = this.#folder!;
    const changedAt = folder.look();
    if (folder.isUnchanged) return true;
    if (this.#ports.fs.statIfThere(tail.path)?.ino !== ino) return false;
    // The time alone is as coarse as the clock, and the next segment may not start at the next seq.
    const isCurrent = changedAt === this.#listedAt && !this.#hasSuccessor(tail);
    folder.seen(isCurrent);
    return isCurrent;
  }

  #hasSuccessor(tail: Tail): boolean {
    const next = segmentPath(this.#layout, this.#manifest!.origin, tail.seq + 1, false);
    return next !== tail.path && this.#ports.fs.statIfThere(next) !== undefined;
  }

  #openAt(file: SegmentFile, files: readonly SegmentFile[]): OwnFact[] {
    // An erasure may have replaced the segment and died before the new name was durable.
    if (this.#manifest!.erasing !== undefined) this.#ports.fs.syncDir(dirname(file.path));
    const { fd, writtenAt } = openOwn(this.#ports, file.path);
    let used = false;
    try {
      const isAfterReboot = writtenAt < (this.#ports.clock.bootedAt?.() ?? 0);
      const { tail, repair } = this.#take(fd, file, files, isAfterReboot);
      const facts: OwnFact[] = repair === undefined ? [] : [{ repair }];
      const copied = this.#copied(file, tail);
      // A copy continues in a segment that names its own origin. The old one may never have been synced.
      const isBegun = copied.length > 0 && tail.fd === fd;
      if (isBegun) this.#ports.fs.datasync(fd);
      this.#tail = isBegun ? this.#createBehind(tail) : tail;
      used = this.#tail.fd === fd;
      return [...facts, ...copied];
    } finally {
      if (!used) this.#ports.fs.close(fd);
    }
  }

  #take(
    fd: number,
    file: SegmentFile,
    files: readonly SegmentFile[],
    isAfterReboot: boolean,
  ): { tail: Tail; repair: Repair | undefined } {
    const { syncedUpto } = this.hint;
    const before = files.at(-2);
    const tail = readTail(this.#ports, fd, file.path);
    const whole =
      tail !== undefined &&
      isAtHome(tail.header, file) &&
      tail.seq >= syncedUpto &&
      !(isAfterReboot && tail.seq > syncedUpto && hasHole(this.#ports, file, syncedUpto));
    if (!whole) {
      const end = () => endPast(this.#ports, files, this.#endOf(before));
      const known = { syncedUpto, isAfterReboot };
      return recoverTail(this.#ports, this.#layout, this.#manifest!, file, fd, end, known);
    }
    if (file.path === this.#distrusted && tail.size > SEGMENT_HEADER_BYTES)
      return {
        tail: this.#create({ ...tail, flags: SEGMENT_FLAG.afterDamage }),
        repair: undefined,
      };
    // Whoever made an empty segment may have died before the folder was synced.
    if (tail.size === SEGMENT_HEADER_BYTES) this.#ports.fs.syncDir(dirname(file.path));
    if (before !== undefined && !before.sealed) this.#inheritIds(tail, before);
    return { tail, repair: undefined };
  }

  /** A segment that has just begun knows few ids: add those at the end of the one before it. */
  #inheritIds(tail: Tail, before: SegmentFile): void {
    const doubtful = (tail.header.flags & SEGMENT_FLAG.afterDamage) !== 0;
    if (doubtful || tail.size >= WINDOW_BYTES) return;
    const end = tailOf(this.#ports, before);
    if (end !== undefined) tail.recent.follow(end.recent);
  }

  #endOf(file: SegmentFile | undefined): KnownEnd {
    return endOf(this.#ports, file, this.hint.syncedUpto);
  }

  #create(end: KnownEnd): Tail {
    const start = { ...end, firstSeq: end.seq + 1 };
    return createSegment(this.#ports, this.#layout, this.#manifest!, start);
  }

  #createBehind(old: Tail): Tail {
    const next = this.#create({ ...old, flags: 0 });
    next.syncedUpto = old.seq;
    next.recent = old.recent;
    return next;
  }

  /** True when the next append belongs into a new segment. */
  isFull(segmentBytes: number): boolean {
    if (this.tail.size === SEGMENT_HEADER_BYTES) return false;
    if (this.tail.size >= segmentBytes) return true;
    return this.#ports.clock.now() - this.tail.header.baseHlc.ms >= SEGMENT_AGE_MS_MAX;
  }

  /** Closes the segment for good and opens the next one. Call with the lock held, not on an empty segment. */
  rotate(): Tail {
    const old = this.tail;
    this.datasync();
    const next = this.#createBehind(old);
    this.close();
    this.#tail = next;
    this.#listedAt = this.#folder!.look();
    return next;
  }

  /**
   * @throws if the sync fails. It is never retried on this file: the kernel may have dropped the pages and would report
   * success.
   */
  datasync(): void {
    try {
      this.#ports.fs.datasync(this.tail.fd);
    } catch (error) {
      this.#distrusted = this.tail.path;
      throw error;
    }
  }

  /** Keeps what the last sync reached, and leaves it for the next process. */
  synced(hint: SyncHint): void {
    this.hint = hint;
    this.#hintFile!.write(hint);
  }

  get isDistrusted(): boolean {
    return this.#tail !== undefined && this.#tail.path === this.#distrusted;
  }

  close(): void {
    this.#hintFile?.close();
    if (this.#tail !== undefined) this.#ports.fs.close(this.#tail.fd);
    this.#tail = undefined;
  }
}

const rebuilt = (lost: LostManifest): OwnFact => ({
  repair: { kind: 'manifest', segment: 'manifest', offset: 0, ...lost },
});

/**
 * Opens a segment for writing. If the file has a second name (a backup by hard links, a trap), a copy takes our name first.
 * Call with the lock held. @returns when it was last written to, milliseconds since the epoch @throws Node's error
 */
function openOwn({ fs, random }: JournalPorts, path: string): { fd: number; writtenAt: number } {
  const fd = fs.open(path, 'r+');
  let isOwn = false;
  let writtenAt: number;
  try {
    const stat = fs.fstat(fd);
    isOwn = stat.nlink <= 1;
    writtenAt = stat.mtimeMs;
  } finally {
    if (!isOwn) fs.close(fd);
  }
  if (isOwn) return { fd, writtenAt };
  const bytes = readFile(fs, path, SEGMENT_BYTES_MAX);
  writeFileAtomic(fs, path, bytes, randomHex(random, 6), { durable: true });
  return { fd: fs.open(path, 'r+'), writtenAt };
}
