import { describe, expect, it } from 'vitest';
import { JournalWriter } from '../../../src/journal/append/writer.ts';
import { flip } from '../../../src/journal/format/flip.ts';
import { SEGMENT_HEADER_BYTES } from '../../../src/journal/format/format.ts';
import { JournalReader } from '../../../src/journal/read/reader.ts';
import { repairJournal } from '../../../src/journal/repair/repair.ts';
import { compactJournal } from '../../../src/journal/seal/compact.ts';
import { verifyJournal } from '../../../src/journal/verify/verify.ts';
import { crashStates } from '../../sim/crash-states.ts';
import { SimDisk } from '../../sim/disk.ts';
import { copyOf, emptyImage, fileAt, filesIn, type Image } from '../../sim/image.ts';
import { loadCodecs, SIM_ROOT, startProcess } from '../../sim/process.ts';
import { decoders, newEvent } from '../../support.ts';

const codecs = await loadCodecs();
const NOW = 1_795_250_000_000;
/** States looked at after each call. */
const CAP = 6;

const named = (n: number) => newEvent({ data: { text: `event ${n}.` } }, 'disk');

/** Three segments of three events; the first one is sealed, the last one appended to. */
function journal(): { image: Image; segments: string[] } {
  const disk = new SimDisk(emptyImage(), NOW);
  const { ports } = startProcess(disk, 1, 1);
  ports.fs.mkdir('/project');
  const writer = new JournalWriter(ports, SIM_ROOT, { lockBudgetMs: 50 });
  writer.append([1, 2, 3].map(named));
  writer.rotate(0);
  compactJournal(ports, SIM_ROOT, codecs);
  writer.append([4, 5, 6].map(named));
  writer.rotate(0);
  writer.append([7, 8, 9].map(named));
  writer.close();
  const image = copyOf(disk.live);
  const segments = filesIn(image).flatMap(([file]) => (/\.b10z?$/.test(file) ? [file] : []));
  return { image, segments: segments.sort() };
}

function change(image: Image, file: string, how: (bytes: Buffer) => void): void {
  const number = fileAt(image, file)!;
  const bytes = Buffer.from(image.files.get(number)!);
  how(bytes);
  image.files.set(number, bytes);
}

/** What nobody can read, and must still be somewhere. */
const ROT = Buffer.from('rotten, and yet nothing is thrown away');

const DAMAGES: [string, (image: Image, segments: string[]) => void, number][] = [
  ['a flipped bit', (image, [, raw]) => change(image, raw!, (b) => flip(b, 3202)), 9],
  [
    'rot in a raw segment',
    (image, [, raw]) => change(image, raw!, (b) => void ROT.copy(b, 300)),
    8,
  ],
  [
    'rot in the segment that is appended to',
    (image, segments) => change(image, segments[2]!, (b) => void ROT.copy(b, 300)),
    8,
  ],
  [
    'rot in a sealed one',
    (image, [sealed]) => change(image, sealed!, (b) => void ROT.copy(b, 200)),
    6,
  ],
  [
    'a lost header',
    (image, [, raw]) => change(image, raw!, (b) => void b.fill(0, 0, SEGMENT_HEADER_BYTES - 40)),
    9,
  ],
  [
    'a flipped bit of the manifest',
    (image) => change(image, `${SIM_ROOT}/journal/manifest`, (b) => flip(b, 794)),
    9,
  ],
];

const started = (image: Image, process: number) => {
  // An hour later: what was written when the power went is old.
  const disk = new SimDisk(copyOf(image), NOW + 3_600_000);
  return { disk, ports: startProcess(disk, process, process).ports };
};

/** Which of the nine events can be read. */
function readable(image: Image): number[] {
  const { ports } = started(image, 9);
  const texts = [...new JournalReader(ports, SIM_ROOT, decoders).entries()].map(
    ({ entry }) => entry?.payload.toString('latin1') ?? '',
  );
  const all = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  return all.filter((n) => texts.some((text) => text.includes(`event ${n}.`)));
}

const isKept = (image: Image): boolean => filesIn(image).some(([, bytes]) => bytes.includes(ROT));

describe.each(['ext4-ordered', 'paranoid'] as const)('a loss of power on %s', (profile) => {
  it.each(DAMAGES)(
    'within a repair of %s costs nothing that the repair would not',
    (_, spoil, whole) => {
      const { image, segments } = journal();
      spoil(image, segments);
      const before = readable(image);
      const hadRot = isKept(image);
      const disk = new SimDisk(copyOf(image), NOW + 60_000);
      const { ports } = startProcess(disk, 1, 3);
      repairJournal(ports, SIM_ROOT, decoders);
      expect(readable(disk.live)).toHaveLength(whole);
      const { log } = disk;
      for (let upto = 0; upto <= log.length; upto += 1)
        for (const state of crashStates(disk.base, log, upto, profile, CAP).states) {
          const where = `call ${upto} of ${log.length}, ${state.choice}`;
          // Who appends comes by before who repairs once more.
          const late = started(state.image, 2);
          const writer = new JournalWriter(late.ports, SIM_ROOT, { lockBudgetMs: 50 });
          writer.append([named(10)]);
          writer.close();
          const mid = readable(late.disk.live);
          for (const n of before) expect(mid, `${where}: ${n} is not readable`).toContain(n);
          repairJournal(late.ports, SIM_ROOT, decoders);
          expect(verifyJournal(late.ports, SIM_ROOT, decoders).damage, where).toEqual([]);
          expect(readable(late.disk.live), where).toHaveLength(whole);
          expect(isKept(late.disk.live), where).toBe(hadRot);
        }
    },
  );
});
