import type { NewEvent } from '../append/inbox.ts';
import { ensureManifest } from '../format/manifest.ts';
import type { JournalPorts } from '../format/ports.ts';
import type { Codecs } from '../seal/compact-segment.ts';
import type { ErasureRequest } from './events.ts';
import { assertErasable, type Finished } from './finish.ts';
import { beginErasure, withErasureJob } from './job.ts';
import { addUp } from './resume.ts';
import { targetsOf } from './targets.ts';

/** Old events to drop, and what stands for them. */
export interface Drop extends Required<Pick<ErasureRequest, 'upto' | 'kept'>> {
  /** Later events to drop as well, because they are about dropped ones. Rising. */
  also: number[];
  /** The `journal.based` events: each projection's state at `upto`. */
  bases: readonly NewEvent[];
}

/**
 * Drops old events for good. Like erased ones they become tombstones, so that the chain still verifies and repeated events are
 * kept out. Their states are appended first: folds start from them.
 * @param choose is called with the locks held; undefined if there is nothing to drop
 * @returns undefined if there was nothing to drop
 * @throws as `eraseEvents`; what `choose` throws
 */
export function dropEvents(
  ports: JournalPorts,
  root: string,
  codecs: Codecs,
  choose: () => Drop | undefined,
): Finished | undefined {
  return withErasureJob(ports, root, codecs, (job, totals) => {
    const drop = choose();
    if (drop === undefined) return undefined;
    const { upto, kept, also: targets, bases } = drop;
    const { origin } = ensureManifest(ports, job.layout);
    assertErasable(job, origin, targetsOf({ targets, upto, kept }));
    const first = job.journal.nextSeq();
    const request: ErasureRequest = {
      by: 'age',
      targets,
      upto,
      kept,
      bases: [first, first + bases.length - 1],
      origin,
    };
    addUp(totals, beginErasure(job, [{ request, before: bases }]));
    return totals;
  });
}
