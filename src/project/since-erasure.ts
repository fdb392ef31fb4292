import type { Layout } from '../journal/layout.ts';
import { manifestStamp, readManifest } from '../journal/manifest.ts';
import type { ReaderPorts } from '../journal/ports.ts';

/**
 * What a process remembers of a journal, made anew when events were erased since: a server may run for days, and must not
 * answer from what is gone. Costs one look at a file's times when nothing has changed.
 * @param remember makes it for an erasure epoch
 * @throws Ben10Error JOURNAL_FOREIGN, here and whenever it is asked for
 */
export function sinceErasure<T>(
  ports: ReaderPorts,
  layout: Layout,
  remember: (epoch: number) => T,
): () => T {
  const epochNow = () => readManifest(ports, layout)?.erasureEpoch ?? 0;
  let stamp = manifestStamp(ports, layout);
  let epoch = epochNow();
  let memory = remember(epoch);
  return () => {
    const now = manifestStamp(ports, layout);
    if (now === stamp) return memory;
    // Read after it was looked at: what changes in between is seen the next time.
    const found = epochNow();
    stamp = now;
    if (found !== epoch) memory = remember(found);
    epoch = found;
    return memory;
  };
}
