import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SEGMENT_HEADER_BYTES } from '../../../src/journal/format/format.ts';
import { JournalReader } from '../../../src/journal/read/reader.ts';
import { repairJournal } from '../../../src/journal/repair/repair.ts';
import { compactJournal } from '../../../src/journal/seal/compact.ts';
import { verifyJournal } from '../../../src/journal/verify/verify.ts';
import { unlz4 } from '../../../src/platform/codecs/lz4.ts';
import { unzstd } from '../../../src/platform/codecs/zstd-read.ts';
import { loadZstd } from '../../../src/platform/codecs/zstd-write.ts';
import { loadXxh64 } from '../../../src/platform/xxh64-wasm.ts';
import { Chance } from '../../damage/chance.ts';
import { portsOn, ROOT, smallJournals } from '../../damage/corpus.ts';
import { DAMAGES } from '../../damage/damages.ts';
import { type Independent, writeOut } from '../../damage/independent.ts';
import { MemoryFs } from '../../damage/memory-fs.ts';

const decoders = { lz4: unlz4, zstd: unzstd };
const makers = { zstd: await loadZstd(), xxh64: await loadXxh64() };
const reader = pathToFileURL(
  path.resolve(import.meta.dirname, '../../../journal-format/reader.mjs'),
);
const { readJournal } = (await import(reader.href)) as {
  readJournal: (dir: string, options: { verify: boolean }) => Independent;
};
const seed = Number(process.env.BEN10_SEED);

describe(`a repaired journal (seed ${seed})`, () => {
  it.each(smallJournals(makers).map((one) => [one.name, one] as const))(
    'can be compacted, and the independent reader finds nothing but what is recorded as lost: %s',
    (_, damaged) => {
      const chance = new Chance(seed);
      const image = damaged.fs.image();
      const sound = damaged.fs.bytesOf(damaged.target);
      const others = smallJournals(makers).map(({ fs, target }) => fs.bytesOf(target));
      for (let n = 0; n < 20; n += 1) {
        const fs = new MemoryFs(image);
        const ports = portsOn(fs, makers.xxh64, chance);
        fs.rot(damaged.target, DAMAGES[n % DAMAGES.length]!.damage(sound, chance, others));
        if (verifyJournal(ports, ROOT, decoders).ok) continue;
        const { after } = repairJournal(ports, ROOT, decoders);
        expect(after.damage).toEqual([]);
        const read = () =>
          [...new JournalReader(ports, ROOT, decoders).entries()].map(
            ({ entry }) => entry && `${entry.seq} ${entry.id.toString('hex')}`,
          );
        const before = read();
        const dir = mkdtempSync(path.join(tmpdir(), 'ben10-repaired-'));
        onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
        const journal = writeOut({ ...damaged, fs, ports }, dir);
        const told = readJournal(journal, { verify: true }).damage.map(({ kind }) => kind);
        expect(told.filter((kind) => kind !== 'missing')).toEqual([]);
        const { segments } = compactJournal(ports, ROOT, { zstd: makers.zstd, decoders });
        // One that lost all of its events is sound and stays, and is called "damaged or empty" there.
        const filled = segments.filter(({ bytesBefore }) => bytesBefore > SEGMENT_HEADER_BYTES);
        expect(filled.filter(({ why }) => why.includes('damaged'))).toEqual([]);
        expect(read()).toEqual(before);
        expect(verifyJournal(ports, ROOT, decoders).damage).toEqual([]);
      }
    },
  );
});
