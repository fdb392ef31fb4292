import { readdirIfThere } from '../../platform/files.ts';
import { shellWord } from '../../platform/shell-word.ts';
import { SEGMENT_BYTES_MAX } from '../format/format.ts';
import {
  type Layout,
  originDir,
  type SegmentFile,
  segmentName,
  segmentPath,
} from '../format/layout.ts';
import type { ReaderPorts } from '../format/ports.ts';
import { misnamedIn } from '../read/headers.ts';
import { homeOf } from '../read/origins.ts';
import { RUN } from './piece.ts';

/*
 * Files that people or programs renamed, swapped, packed or lengthened. A repair does not move them back: it prints the command
 * that does.
 */

const NAME = /^\d{16}\.b10z?$/;
/** Names like a segment's, except files that ben10 is writing. */
const LIKE_A_SEGMENT = /\.b10(?!.*\.(?:tmp|doomed)$)/i;

/** Names in the own folder that look like segments but that no reader opens. */
export function unreadNames(ports: ReaderPorts, layout: Layout): string[] {
  const home = homeOf(ports, layout);
  if (home === undefined) return [];
  return readdirIfThere(ports.fs, originDir(layout, home.origin))
    .filter((name) => LIKE_A_SEGMENT.test(name) && !NAME.test(name))
    .sort();
}

/** Commands for unread files that may hold some of the missing events; empty if there are none. */
export function commandsFor(
  ports: ReaderPorts,
  layout: Layout,
  { firstSeq, lastSeq }: { firstSeq: number | null; lastSeq: number | null },
): string {
  const isMissing = (seq: number) => seq >= (firstSeq ?? 1) && seq <= (lastSeq ?? seq);
  const names = unreadNames(ports, layout);
  if (names.length === 0) return '';
  const home = homeOf(ports, layout)!;
  const folder = originDir(layout, home.origin);
  const commands = names.flatMap((name) => {
    const path = `${folder}/${name}`;
    if (/^\d{16}\.b10z?\.gz$/.test(name))
      return isMissing(Number.parseInt(name, 10)) ? `${RUN}gunzip ${shellWord(path)}` : [];
    const found = misnamedIn(ports, { ...home, firstSeq: 0, sealed: false, path })?.is;
    if (found === undefined || !isMissing(found.firstSeq)) return [];
    const target = segmentPath(layout, home.origin, found.firstSeq, found.sealed);
    return `${RUN}mv -n ${shellWord(path)} ${shellWord(target)}`;
  });
  if (commands.length === 0) return '';
  return `. These files are not read, and may hold some of them. To put them back, run:${commands.join('')}`;
}

/** Why a whole file is set aside, with the command that puts it back; undefined if it is simply damaged. */
export function whatOfStranger(
  ports: ReaderPorts,
  layout: Layout,
  file: SegmentFile,
): string | undefined {
  const kept = `${shellWord(`${layout.quarantine}/${segmentName(file)}`)}.whole.*`;
  const is = misnamedIn(ports, file)?.is;
  if (is !== undefined) {
    const target = segmentPath(layout, file.origin, is.firstSeq, is.sealed);
    return `its header says that it is ${segmentName({ path: target })}: the whole file is set aside. To put it back there:${RUN}mv -n ${kept} ${shellWord(target)}`;
  }
  const stat = ports.fs.statIfThere(file.path);
  if (stat?.isFile !== true || stat.size <= SEGMENT_BYTES_MAX) return undefined;
  return `it is larger than any segment, so no reader opens it: the whole file is set aside. To put back what a segment can hold:${RUN}head -c ${SEGMENT_BYTES_MAX} ${kept} > ${shellWord(file.path)}`;
}
