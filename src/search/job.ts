import { tailOf } from '../journal/read/segment-end.ts';
import { inSlices } from '../platform/slices.ts';
import type { Job } from '../project/doors.ts';
import type { Project } from '../project/open.ts';
import { indexedUpto } from './files.ts';
import { indexOf } from './keep-up.ts';

/** Fewer are quickly read by who searches. */
const EVENTS = 2000;

/** By the end of the newest segment: names and one short read. */
function newestOf({ ports, reader }: Project): number {
  const newest = reader.segments().at(-1);
  if (newest === undefined) return 0;
  const tail = newest.sealed ? undefined : tailOf(ports, newest);
  return tail?.seq ?? newest.firstSeq;
}

/** Indexes what is new in a process of its own, so that no search has to read a long journal first. */
export const indexJob: Job = {
  name: 'index',
  isApart: true,
  afterMs: 10_000,
  everyMs: 30_000,
  budgetMs: 600_000,
  stamp(project) {
    const newest = newestOf(project);
    return newest - indexedUpto(project) < EVENTS ? '' : String(Math.floor(newest / EVENTS));
  },
  async run(project) {
    await inSlices(indexOf(project).steps(true));
    return false;
  },
};
