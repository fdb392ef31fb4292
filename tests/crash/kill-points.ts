import type { FileSystem } from '../../src/platform/fs.ts';

/** A place in what a process does where it may be killed: a call of the file system on a kind of file. */
export interface KillPoint {
  /** Such as `rename of a segment`. */
  name: string;
  when: 'before' | 'halfway' | 'after';
  /** Which of its calls of that name, from 1 on. */
  nth: number;
}

/** From the end of a path to what is there. A file that is not there yet under its own name is a draft of it. */
const KINDS: readonly [RegExp, string][] = [
  [/\.b10$/, 'a segment'],
  [/\.b10z$/, 'a sealed segment'],
  [/\.evt$/, 'an inbox file'],
  [/\/manifest$/, 'the manifest'],
  [/\/synced$/, 'the sync hint'],
  [/\/lock$/, 'the lock'],
  [/\/compact\.lock$/, "compaction's lock"],
  [/\/inbox$/, 'the inbox'],
  [/\/quarantine(?:\/|$)/, 'the quarantine'],
  [/\/blobs(?:\/|$)/, 'blobs'],
  [/\/[0-9a-f]{32}$/, "an origin's folder"],
  [/\/journal$/, "the journal's folder"],
];

export function kindOf(path: string): string {
  const final = path.replace(/(?:\.[0-9a-f]{8,})?\.tmp$/, '');
  const kind = KINDS.find(([pattern]) => pattern.test(final))?.[1] ?? 'another file';
  return final === path ? kind : `a draft of ${kind}`;
}

/** How a process dies: not by an exception, which code could catch. */
function die(): void {
  process.kill(process.pid, 'SIGKILL');
}

/**
 * The file system given, in a process that is killed at a point, or only counts what could be one.
 * @param counts by name, filled
 */
export function withKillPoint(
  fs: FileSystem,
  point: KillPoint | undefined,
  counts: Map<string, number>,
): FileSystem {
  const kinds = new Map<number, string>();
  const call = <T>(name: string, work: () => T, half?: () => void): T => {
    const nth = (counts.get(name) ?? 0) + 1;
    counts.set(name, nth);
    const isIt = point?.name === name && point.nth === nth;
    if (isIt && point.when !== 'after') {
      if (point.when === 'halfway') half?.();
      die();
    }
    try {
      return work();
    } finally {
      if (isIt) die();
    }
  };
  const of = (fd: number): string => kinds.get(fd) ?? 'another file';
  const onPath = <T>(verb: string, path: string, work: () => T): T =>
    call(`${verb} of ${kindOf(path)}`, work);
  return {
    open: (path, flags, mode) =>
      onPath(`open (${flags})`, path, () => {
        const fd = fs.open(path, flags, mode);
        kinds.set(fd, kindOf(path));
        return fd;
      }),
    close: (fd) => call(`close of ${of(fd)}`, () => fs.close(fd)),
    read: (fd, into, position) => fs.read(fd, into, position),
    write: (fd, bytes, position) =>
      call(
        `write of ${of(fd)}`,
        () => fs.write(fd, bytes, position),
        () => fs.write(fd, bytes.subarray(0, bytes.length >> 1), position),
      ),
    truncate: (fd, size) => call(`truncate of ${of(fd)}`, () => fs.truncate(fd, size)),
    datasync: (fd) => call(`sync of ${of(fd)}`, () => fs.datasync(fd)),
    syncDir: (path) => onPath('sync of the folder', path, () => fs.syncDir(path)),
    rename: (from, to) => onPath('rename', to, () => fs.rename(from, to)),
    unlink: (path) => onPath('removal', path, () => fs.unlink(path)),
    mkdir: (path) => onPath('creation', path, () => fs.mkdir(path)),
    readdir: (path) => fs.readdir(path),
    stat: (path) => fs.stat(path),
    statIfThere: (path) => fs.statIfThere(path),
    fstat: (fd) => fs.fstat(fd),
  };
}
