import { readdirIfThere } from '../../platform/files.ts';
import { isSeq, type Layout, originDir, type SegmentFile } from '../format/layout.ts';
import type { ReaderPorts } from '../format/ports.ts';

/**
 * What a segment's name may have become by hand, or by a program that copies: fewer digits, another case, words such as
 * `(conflicted copy)` or `.bak` in it or behind it. No control character, no other folder; none that ben10 is writing.
 */
const ALMOST = /^\d{1,20}\b[^\p{Cc}/]*\.b10z?\b(?!.*\.tmp(?:\.doomed)?$)[^\p{Cc}/]*$/iu;
const EXACT = /^\d{16}\.b10z?$/;

const isSegment = (name: string): boolean => EXACT.test(name) && isSeq(Number.parseInt(name, 10));

/**
 * Files in the own origin's folder that readers ignore for their names, and that may be segments all the same: their
 * headers say which.
 */
export function almostNamed(
  { fs }: ReaderPorts,
  layout: Layout,
  { origin, journalId, origins }: Pick<SegmentFile, 'origin' | 'journalId' | 'origins'>,
): SegmentFile[] {
  const folder = originDir(layout, origin);
  return readdirIfThere(fs, folder)
    .filter((name) => ALMOST.test(name) && !isSegment(name))
    .sort()
    .map((name) => `${folder}/${name}`)
    .map((path) => ({ origin, journalId, origins, firstSeq: 0, sealed: false, path }));
}
