import { readManifest } from '../journal/format/manifest.ts';
import type { Project } from '../project/open.ts';
import { CheckpointStore } from '../projections/checkpoints.ts';
import { States } from '../projections/states.ts';

/** Reads stored states, and stores none. */
class ReadOnlyStore extends CheckpointStore {
  override save = (): number => 0;
}

/** The same project, which stores no states. */
export function withoutStoring(project: Project): Project {
  let states: States | undefined;
  // Lazy: an unreadable journal is reported by the check that needs it.
  const get = () => {
    states ??= statesOf(project);
    return states;
  };
  // Not a copy, which would open the writer.
  return Object.create(project, { states: { get } });
}

function statesOf({ ports, layout, lz4, decoders, reader }: Project): States {
  const epoch = readManifest(ports, layout)?.erasureEpoch ?? 0;
  const store = new ReadOnlyStore(ports, layout, { lz4, decoders }, epoch);
  return new States(reader, ports.xxh64, store);
}
