import type { Layout } from '../journal/format/layout.ts';
import { manifestStamp, readManifest } from '../journal/format/manifest.ts';
import type { ReaderPorts } from '../journal/format/ports.ts';

/**
 * A process's caches of a journal, replaced after an erasure. Costs one stat if nothing has changed.
 * @param remember creates the caches for an erasure epoch
 * @returns gets the caches; throws Ben10Error JOURNAL_FOREIGN, and Node's errors
 */
export function sinceErasure<T>(
  ports: ReaderPorts,
  layout: Layout,
  remember: (epoch: number) => T,
): () => T {
  const epochNow = () => readManifest(ports, layout)?.erasureEpoch ?? 0;
  let known: { stamp: string; epoch: number; memory: T } | undefined;
  return () => {
    const stamp = manifestStamp(ports, layout);
    if (known?.stamp === stamp) return known.memory;
    // Read after the stamp: a change in between is noticed next time.
    const epoch = epochNow();
    const memory = known?.epoch === epoch ? known.memory : remember(epoch);
    known = { stamp, epoch, memory };
    return memory;
  };
}
