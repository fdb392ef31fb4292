import { removeIfThere, writeAll, writeFileAtomic } from '../../platform/files.ts';
import { randomHex } from '../../platform/random.ts';
import { decodeFooter } from '../format/footer.ts';
import { FRAME_FLAG } from '../format/format.ts';
import type { Layout } from '../format/layout.ts';
import type { JournalPorts, ReaderPorts } from '../format/ports.ts';
import { openListed } from '../read/open.ts';
import { ownSegments } from '../read/origins.ts';
import { mayContainId } from '../read/sealed.ts';

/**
 * Marks that the inbox is being taken in. If the writer dies, the next one finds the mark and checks which events it had
 * appended already. Call everything here with the lock held.
 */
export interface DrainMark {
  /** Where the events that are taken in begin. */
  fromSeq: number;
  /** The last inbox file that is taken in. */
  lastFile: string;
}

const markPath = (layout: Layout): string => `${layout.inbox}/draining`;
const MARK = /^(\d{1,15}) ([0-9a-f]{16}-[0-9a-f]{12}\.evt)$/;
const MARK_BYTES_MAX = 64;

export function markDrain(ports: JournalPorts, layout: Layout, mark: DrainMark): void {
  const [path, bytes] = [markPath(layout), Buffer.from(`${mark.fromSeq} ${mark.lastFile}`)];
  if (ports.fs.statIfThere(path) !== undefined) {
    // Replaced in one step: the old mark still says what a broken drain had taken.
    const unique = randomHex(ports.random, 6);
    writeFileAtomic(ports.fs, path, bytes, unique, { durable: false });
    return;
  }
  const fd = ports.fs.open(path, 'wx');
  try {
    writeAll(ports.fs, fd, bytes, 0);
  } finally {
    ports.fs.close(fd);
  }
}

export function clearDrainMark(ports: JournalPorts, layout: Layout): void {
  removeIfThere(ports.fs, markPath(layout));
}

/** The mark of an unfinished drain. Half a mark was written before any event, so it counts as none. */
export function brokenDrain(ports: ReaderPorts, layout: Layout): DrainMark | undefined {
  // Checked first: usually there is none, and this is cheaper.
  if (ports.fs.statIfThere(markPath(layout))?.isFile !== true) return undefined;
  const bytes = Buffer.alloc(MARK_BYTES_MAX);
  const fd = ports.fs.open(markPath(layout), 'r');
  try {
    const match = MARK.exec(bytes.toString('latin1', 0, ports.fs.read(fd, bytes, 0)));
    return match === null ? undefined : { fromSeq: Number(match[1]), lastFile: match[2]! };
  } finally {
    ports.fs.close(fd);
  }
}

/** Tells which events a drain that began at `from` had appended. */
export function drainedSince(
  ports: ReaderPorts,
  layout: Layout,
  from: number,
): (id: Buffer) => boolean {
  const found = new Set<string>();
  const inSealed: ((id: Buffer) => boolean)[] = [];
  const files = ownSegments(ports, layout);
  for (const [index, listed] of files.entries()) {
    const next = files[index + 1];
    if (next !== undefined && next.firstSeq <= from) continue;
    const segment = openListed(ports, listed);
    if (segment?.header === undefined) continue;
    const { bytes, header, file } = segment;
    if (file.sealed) {
      const sealed = { header, footer: decodeFooter(bytes, ports.xxh64) };
      inSealed.push((id) => mayContainId(bytes, sealed, id, ports.xxh64) === true);
      continue;
    }
    for (const { entry } of segment.frames()) {
      if (entry === undefined || entry.seq < from) continue;
      if ((entry.flags & FRAME_FLAG.fromInbox) !== 0) found.add(entry.id.toString('hex'));
    }
  }
  return (id) => found.has(id.toString('hex')) || inSealed.some((has) => has(id));
}
