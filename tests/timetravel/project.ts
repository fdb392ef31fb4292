import path from 'node:path';
import { importTranscripts } from '../../src/capture/import.ts';
import { Recorder } from '../../src/capture/recorder.ts';
import { compileRedaction, redactText } from '../../src/capture/redaction/index.ts';
import { JournalWriter } from '../../src/journal/append/writer.ts';
import { layoutOf } from '../../src/journal/format/layout.ts';
import { readManifest } from '../../src/journal/format/manifest.ts';
import type { JournalPorts } from '../../src/journal/format/ports.ts';
import { JournalReader } from '../../src/journal/read/reader.ts';
import { lz4Codec } from '../../src/platform/codecs/lz4.ts';
import { type FileSystem, nodeFs } from '../../src/platform/fs.ts';
import type { Project } from '../../src/project/open.ts';
import { PACKS, TRACKER } from '../../src/project/open.ts';
import { CheckpointStore } from '../../src/projections/checkpoints.ts';
import { States } from '../../src/projections/states.ts';
import { decoders, realPorts, scratch } from '../support.ts';

const FIXTURES = path.resolve(import.meta.dirname, '../fixtures');
export const transcript = (name: string): string => path.join(FIXTURES, 'transcripts', name);
export const realClient = (name: string): string => path.join(FIXTURES, 'real-client', name);

const refused = (): never => {
  throw Object.assign(new Error('read-only file system'), { code: 'EROFS' });
};

/** A disk that can be read and not written: for root no folder is read-only. */
export const readOnlyFs: FileSystem = {
  ...nodeFs,
  open: (file, flags, mode) => (flags === 'r' ? nodeFs.open(file, flags, mode) : refused()),
  mkdir: refused,
  rename: refused,
  unlink: refused,
};

export interface ProjectOptions {
  dir?: string;
  ports?: Partial<JournalPorts>;
  segmentBytes?: number;
}

/** A project in a folder of its own, as `openProject` wires it, with the lock of a checkout. */
export function testProject(options: ProjectOptions = {}): Project {
  const dir = options.dir ?? scratch();
  const ports = { ...realPorts, ...options.ports };
  const root = path.join(dir, '.ben10');
  const layout = layoutOf(root);
  const reader = new JournalReader(ports, root, decoders);
  let writer: JournalWriter | undefined;
  const redaction = compileRedaction(undefined).options;
  const project = {
    dir,
    root,
    layout,
    ports,
    decoders,
    lz4: lz4Codec,
    reader,
    states: statesOf({ ports, layout, reader }),
    get writer() {
      const { segmentBytes } = options;
      const more = segmentBytes === undefined ? {} : { segmentBytes };
      writer ??= new JournalWriter(ports, root, { lockBudgetMs: 5000, ...more });
      return writer;
    },
    redaction,
    get recorder() {
      return new Recorder({ ports, root, writer: this.writer, redaction, client: 'claude-code' });
    },
    excludedBy: () => undefined,
    redact: (text: string) => redactText(text, redaction).text,
    maxStorageMb: 100,
    snapshotsMaxMb: 500,
    packs: PACKS,
    tracker: TRACKER,
    close: () => writer?.close(),
  };
  return project;
}

/** States with the stored ones in `.ben10/checkpoints`, or folded from the very start. */
export function statesOf(
  { ports, layout, reader }: Pick<Project, 'ports' | 'layout' | 'reader'>,
  stored = true,
): States {
  const epoch = readManifest(ports, layout)?.erasureEpoch ?? 0;
  const store = new CheckpointStore(ports, layout, { lz4: lz4Codec, decoders }, epoch);
  return new States(reader, ports.xxh64, stored ? store : undefined);
}

/** Imports transcripts, files or folders. */
export function imported(project: Project, ...paths: string[]): Project {
  const { ports, reader, states, recorder } = project;
  importTranscripts({ ports, reader, states, recorder, paths });
  return project;
}
