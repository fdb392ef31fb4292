import type { Layout } from '../journal/format/layout.ts';
import { manifestStamp, readManifest } from '../journal/format/manifest.ts';
import type { ReaderPorts } from '../journal/format/ports.ts';

/**
 * What a process remembers of a journal, made anew when events were erased since: a server may run for days, and must not
 * answer from what is gone. Costs one look at a file's times when nothing has changed.
 * @param remember makes it for an erasure epoch
 * @returns what is remembered; throws Ben10Error JOURNAL_FOREIGN, and Node's error where the manifest cannot be read
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
    // Read after it was looked at: what changes in between is seen the next time.
    const epoch = epochNow();
    const memory = known?.epoch === epoch ? known.memory : remember(epoch);
    known = { stamp, epoch, memory };
    return memory;
  };
}
