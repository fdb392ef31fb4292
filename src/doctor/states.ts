import { readManifest } from '../journal/manifest.ts';
import type { Project } from '../project/open.ts';
import { CheckpointStore } from '../projections/checkpoints.ts';
import { States } from '../projections/states.ts';

/** Stored states to begin from; none is added. */
class ReadOnlyStore extends CheckpointStore {
  override save = (): number => 0;
}

/** The same project, whose states are worked out without leaving anything on the disk. */
export function withoutStoring(project: Project): Project {
  const { ports, layout, lz4, decoders, reader } = project;
  const epoch = readManifest(ports, layout)?.erasureEpoch ?? 0;
  const store = new ReadOnlyStore(ports, layout, { lz4, decoders }, epoch);
  // Not a copy: that would open the writer.
  return Object.create(project, { states: { value: new States(reader, ports.xxh64, store) } });
}
