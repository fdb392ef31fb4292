import { readManifest } from '../journal/format/manifest.ts';
import type { Project } from '../project/open.ts';
import { CheckpointStore } from '../projections/checkpoints.ts';
import { States } from '../projections/states.ts';

/** Stored states to begin from; none is added. */
class ReadOnlyStore extends CheckpointStore {
  override save = (): number => 0;
}

/** The same project, whose states are worked out without leaving anything on the disk. */
export function withoutStoring(project: Project): Project {
  let states: States | undefined;
  // Not before they are asked for: a journal that cannot be read is told of by the check that meets it.
  const get = () => {
    states ??= statesOf(project);
    return states;
  };
  // Not a copy: that would open the writer.
  return Object.create(project, { states: { get } });
}

function statesOf({ ports, layout, lz4, decoders, reader }: Project): States {
  const epoch = readManifest(ports, layout)?.erasureEpoch ?? 0;
  const store = new ReadOnlyStore(ports, layout, { lz4, decoders }, epoch);
  return new States(reader, ports.xxh64, store);
}
