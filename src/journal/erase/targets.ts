import type { SegmentFile } from '../format/layout.ts';
import type { ErasureRequest } from './events.ts';

/** The events that a request erases. */
export interface Targets {
  has(seq: number): boolean;
  /** The lowest of them; 1 if there is none. */
  first: number;
  /** The segments of one origin that may hold a target. */
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
