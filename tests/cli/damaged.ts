import { readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { openTestProject } from '../support.ts';

/** Ways to spoil the only segment of `recordedProject`'s journal. */

const segmentOf = (dir: string): string => openTestProject(dir).reader.segments()[0]!.path;

/** Nothing in the segment can be placed any more. */
export function loseHeader(dir: string): void {
  const file = segmentOf(dir);
  writeFileSync(file, readFileSync(file).fill(0xff, 20, 23));
}

/** The body of one event in the middle. */
export function loseEvent(dir: string): void {
  const file = segmentOf(dir);
  const bytes = readFileSync(file);
  const at = bytes.indexOf('Now the overdue filter please');
  writeFileSync(file, bytes.fill('x', at, at + 20));
}

/** A link in the place of the segment: what lies behind it is not believed. */
export function linkSegment(dir: string): void {
  const file = segmentOf(dir);
  renameSync(file, `${dir}/elsewhere`);
  symlinkSync(`${dir}/elsewhere`, file);
}
