import { readSpool, spool } from '../../src/journal/append/inbox.ts';
import { decodeContainer, encodeContainer } from '../../src/journal/format/container.ts';
import { CONTAINER, HINT, SEGMENT_FLAG } from '../../src/journal/format/format.ts';
import { readHint } from '../../src/journal/format/hint.ts';
import { layoutOf } from '../../src/journal/format/layout.ts';
import { readManifest } from '../../src/journal/format/manifest.ts';
import { planRepair, repairJournal } from '../../src/journal/repair/repair.ts';
import { lz4Codec } from '../../src/platform/codecs/lz4.ts';
import { CheckpointStore } from '../../src/projections/checkpoints.ts';
import { Chance } from '../damage/chance.ts';
import { type Makers, ROOT, smallJournals, type TestJournal } from '../damage/corpus.ts';
import { portsOn } from '../damage/journal.ts';
import { MemoryFs } from '../damage/memory-fs.ts';
import { look, Violation } from '../damage/oracle.ts';
import { decoders, FRONTIER, newEvent } from '../faults/workloads.ts';
import { mendManifest, mendRaw, mendSealed, mendSpool, mendSumAt, mutated } from './mutate.ts';
import type { Target } from './target.ts';

const layout = layoutOf(ROOT);

/** What lies in a project's folder: segments and what stands beside them. */
export function fileTargets(makers: Makers, chance: Chance): Target[] {
  const journals = smallJournals(makers);
  const fuzzed = journals.filter(({ name }) => FUZZED.has(name));
  return [
    ...fuzzed.map((one) => segmentTarget(one, makers)),
    ...fuzzed.map((one) => repairTarget(one, makers)),
    ...filesBeside(journals[0]!, makers, chance),
    checkpointTarget(journals[1]!, makers),
    containerTarget(makers, chance),
  ];
}

/** Of the small journals; the others differ in what stands around the segment. */
const FUZZED = new Set([
  'raw, alone',
  'raw, between two',
  'sealed, alone',
  'sealed, between two',
  'raw, planted frames',
]);

function segmentTarget(journal: TestJournal, makers: Makers): Target {
  return {
    name: `segment, ${journal.name}`,
    share: 24,
    run: wrongSegments(journal, makers, (chance) => {
      const isPlanned = chance.below(8) === 0;
      return () => {
        const { entries, damage, refused } = look(journal, decoders);
        const plan =
          isPlanned && refused === undefined ? planRepair(journal.ports, ROOT, decoders) : [];
        return [entries.length, damage, refused?.code, plan];
      };
    }),
  };
}

/** What a repair of a copy would do, and what is left to do behind it: nothing that it could do. */
function repairTarget(journal: TestJournal, makers: Makers): Target {
  const { fs, ports } = journal;
  return {
    name: `repair, ${journal.name}`,
    share: 400,
    msMax: 1000,
    run: wrongSegments(journal, makers, () => () => {
      const copy = portsOn(new MemoryFs(fs.image()), ports.xxh64, new Chance(1));
      const items = planRepair(copy, ROOT, decoders);
      const { kept } = repairJournal(copy, ROOT, decoders);
      const left = planRepair(copy, ROOT, decoders);
      if (left.some(({ action }) => action !== 'none'))
        throw new Violation(`a repair left ${JSON.stringify(left)}`);
      return [items, kept, left];
    }),
  };
}

/** Half of the time the sums are made to fit, so that what is behind them is reached. */
function wrongSegments(
  { fs, target, isSealed }: TestJournal,
  { xxh64 }: Makers,
  looking: (chance: Chance) => () => unknown,
): Target['run'] {
  const sound = fs.bytesOf(target);
  const mend = isSealed ? mendSealed : mendRaw;
  return (chance) => {
    const wrong = mutated(sound, chance);
    const bytes = chance.coin() ? mend(wrong, xxh64) : wrong;
    if (bytes.length > 16) bytes[12] = (bytes[12] ?? 0) & ~SEGMENT_FLAG.preallocated;
    const outcome = looking(chance);
    return {
      bytes: bytes.length,
      outcome: () => {
        fs.rot(target, bytes);
        try {
          return outcome();
        } finally {
          fs.rot(target, sound);
        }
      },
    };
  };
}

function filesBeside(journal: TestJournal, { xxh64 }: Makers, chance: Chance): Target[] {
  const { fs, ports } = journal;
  const events = [newEvent(chance, 'disk'), newEvent(chance, 'process', 300)];
  const name = `${layout.inbox}/${spool(ports, layout, events)}`;
  const hint = [...fs.image().files.keys()].find((one) => one.endsWith('/synced'))!;
  const of = (what: string, file: string, mend: typeof mendSpool, read: () => unknown): Target => {
    const sound = fs.bytesOf(file);
    return {
      name: what,
      share: 1,
      run: (source) => {
        const wrong = mutated(sound, source);
        const bytes = source.coin() ? mend(wrong, xxh64) : wrong;
        return {
          bytes: bytes.length,
          outcome: () => {
            fs.rot(file, bytes);
            try {
              return read();
            } finally {
              fs.rot(file, sound);
            }
          },
        };
      },
    };
  };
  return [
    of('inbox file', name, mendSpool, () => readSpool(ports, name)?.length),
    of('manifest', layout.manifest, mendManifest, () => readManifest(ports, layout)),
    of('hint', hint, mendSumAt(HINT.checksum), () => readHint(ports, hint)),
  ];
}

function containerTarget({ zstd, xxh64 }: Makers, chance: Chance): Target {
  const plain = Buffer.concat([chance.bytes(300), Buffer.from('again and again '.repeat(400))]);
  const sound = [
    encodeContainer(plain, xxh64),
    encodeContainer(plain, xxh64, { method: 'lz4', codec: lz4Codec, level: 0 }),
    encodeContainer(plain, xxh64, { method: 'zstd', codec: zstd, level: 3 }),
  ];
  return {
    name: 'container',
    share: 1,
    run: (source) => {
      const wrong = mutated(source.pick(sound), source);
      const bytes = source.coin() ? mendSumAt(CONTAINER.checksum)(wrong, xxh64) : wrong;
      return {
        bytes: bytes.length,
        outcome: () => decodeContainer(bytes, decoders, xxh64)?.length,
      };
    },
  };
}

/** A stored state, as those who ask for it read it: a container in a file, and in it what a ben10 may have written. */
function checkpointTarget({ fs, ports }: TestJournal, { xxh64 }: Makers): Target {
  const kind = { name: 'counts', version: 1 };
  const store = new CheckpointStore(ports, layout, { lz4: lz4Codec, decoders }, 0);
  const frontier = { ...FRONTIER, seq: 1, last: 1 };
  store.save(kind, null, { n: 1, words: 'again and again '.repeat(40).split(' ') }, frontier);
  const file = [...fs.image().files.keys()].find((one) => one.endsWith('.ckpt'))!;
  const sound = fs.bytesOf(file);
  const plain = decodeContainer(sound, decoders, xxh64)!;
  const packing = { method: 'lz4' as const, codec: lz4Codec, level: 0 };
  return {
    name: 'checkpoint',
    share: 4,
    run: (source) => {
      // Half of the time a sound container of something else: the checksums hold, what they stand for does not.
      const bytes = source.coin()
        ? encodeContainer(mutated(plain, source), xxh64, packing)
        : mendSumAt(CONTAINER.checksum)(mutated(sound, source), xxh64);
      return {
        bytes: bytes.length,
        outcome: () => {
          fs.rot(file, bytes);
          try {
            return [store.list(kind, null), store.load(kind, null, 1)?.frontier];
          } finally {
            fs.rot(file, sound);
          }
        },
      };
    },
  };
}
