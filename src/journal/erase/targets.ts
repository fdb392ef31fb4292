import type { SegmentFile } from '../format/layout.ts';
import type { ErasureRequest } from './events.ts';

/** What has to go, as a request says it. */
export interface Targets {
  has(seq: number): boolean;
  /** The lowest of them; 1 when there is none. */
  first: number;
  /** Of the segments of one origin, in their order, those that may have one. */
  in(files: readonly SegmentFile[]): SegmentFile[];
}

export function targetsOf({ targets, upto = 0, kept = [] }: Omit<ErasureRequest, 'by'>): Targets {
  const chosen = new Set(targets);
  const stays = new Set(kept);
  return {
    has: (seq) => (seq <= upto && !stays.has(seq)) || chosen.has(seq),
    first: upto > 0 ? 1 : (targets[0] ?? 1),
    in: (files) =>
      files.filter(({ firstSeq }, index) => {
        const end = files[index + 1]?.firstSeq ?? Number.POSITIVE_INFINITY;
        return firstSeq <= upto || targets.some((seq) => seq >= firstSeq && seq < end);
      }),
  };
}

export function byOrigin<T extends { origin: string }>(events: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const event of events) {
    const own = groups.get(event.origin);
    if (own === undefined) groups.set(event.origin, [event]);
    else own.push(event);
  }
  return groups;
}
