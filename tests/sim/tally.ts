import { layoutOf } from '../../src/journal/format/layout.ts';
import { readManifest } from '../../src/journal/format/manifest.ts';
import type { JournalPorts } from '../../src/journal/format/ports.ts';
import { JournalReader } from '../../src/journal/read/reader.ts';
import { lz4Codec } from '../../src/platform/codecs/lz4.ts';
import { CheckpointStore } from '../../src/projections/checkpoints.ts';
import type { Projection } from '../../src/projections/contract.ts';
import { States } from '../../src/projections/states.ts';
import { decoders, SIM_ROOT } from './process.ts';

export const SESSION = 'sim';
/** What the product folds into a context, so that a save has every event's text in it. */
export const TYPE = 'prompt.submitted';

interface Tally {
  count: number;
  /** Of everything in it, order included. */
  digest: number;
  names: string[];
}

/** A small projection whose state depends on every event and on their order. */
export const tally: Projection<Tally> = {
  name: 'tally',
  version: 1,
  scope: 'session-arrival',
  types: [TYPE],
  initial: () => ({ count: 0, digest: 7, names: [] }),
  apply(state, { data }) {
    const { name } = data as { name: string };
    for (const char of name) state.digest = Math.imul(state.digest, 31) + char.charCodeAt(0);
    state.names.push(name);
    state.count += 1;
    return state;
  },
};

/** States of a simulated journal: with its stored ones, or folded from the very start. */
export function statesOf(ports: JournalPorts, isStored: boolean): States {
  const layout = layoutOf(SIM_ROOT);
  const reader = new JournalReader(ports, SIM_ROOT, decoders);
  const epoch = readManifest(ports, layout)?.erasureEpoch ?? 0;
  const store = new CheckpointStore(ports, layout, { lz4: lz4Codec, decoders }, epoch);
  return new States(reader, ports.xxh64, isStored ? store : undefined);
}
