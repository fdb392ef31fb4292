import { Recorder } from '../src/capture/recorder.ts';
import { compileRedaction } from '../src/capture/redaction/index.ts';
import type { JournalWriter } from '../src/journal/append/writer.ts';
import { layoutOf } from '../src/journal/format/layout.ts';
import { readManifest } from '../src/journal/format/manifest.ts';
import type { JournalPorts } from '../src/journal/format/ports.ts';
import { SupersedingReader } from '../src/journal/read/superseding-reader.ts';
import { lz4Codec } from '../src/platform/codecs/lz4.ts';
import type { Project } from '../src/project/open.ts';
import { PACKS, TRACKER } from '../src/project/open.ts';
import { CheckpointStore } from '../src/projections/checkpoints.ts';
import { States } from '../src/projections/states.ts';
import { decoders } from './ports.ts';

const { options: redaction } = compileRedaction({});

/** A project as a command opens it, on a file system that is no real one. */
export function projectOn(ports: JournalPorts, root: string, writer: JournalWriter): Project {
  const layout = layoutOf(root);
  const reader = new SupersedingReader(ports, root, decoders);
  const epoch = readManifest(ports, layout)?.erasureEpoch ?? 0;
  const store = new CheckpointStore(ports, layout, { lz4: lz4Codec, decoders }, epoch);
  return {
    dir: '/project',
    root,
    layout,
    ports,
    lz4: lz4Codec,
    decoders,
    reader,
    states: new States(reader, ports.xxh64, store),
    writer,
    recorder: new Recorder({ ports, root, writer, redaction, client: 'claude-code' }),
    redaction,
    excludedBy: () => undefined,
    redact: (text: string) => text,
    maxStorageMb: 100,
    snapshotsMaxMb: 500,
    packs: PACKS,
    tracker: TRACKER,
    close: () => undefined,
  };
}
