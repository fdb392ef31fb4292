import type { NewEvent } from '../../../src/journal/append/inbox.ts';
import { JournalWriter } from '../../../src/journal/append/writer.ts';
import { layoutOf } from '../../../src/journal/format/layout.ts';
import type { JournalPorts } from '../../../src/journal/format/ports.ts';
import { JournalReader } from '../../../src/journal/read/reader.ts';
import { planRepair, repairJournal } from '../../../src/journal/repair/repair.ts';
import { verifyJournal } from '../../../src/journal/verify/verify.ts';
import { loadZstd } from '../../../src/platform/codecs/zstd-write.ts';
import { loadXxh64 } from '../../../src/platform/xxh64-wasm.ts';
import { Chance } from '../../damage/chance.ts';
import { payloadOf, portsOn, ROOT } from '../../damage/corpus.ts';
import { MemoryFs } from '../../damage/memory-fs.ts';
import { decoders } from '../../support.ts';

export { ROOT } from '../../damage/corpus.ts';
export { decoders } from '../../support.ts';

export const makers = { zstd: await loadZstd(), xxh64: await loadXxh64() };
export const layout = layoutOf(ROOT);

/** An event with such data; its id is made up by chance. */
export const newEvent = (data: unknown, chance: Chance): NewEvent => ({
  id: chance.bytes(16),
  typeTag: 7,
  payload: payloadOf(data),
  durability: 'process',
});

/** Three segments of three events each, the last one active, in memory. */
export function journalInMemory(bytes = 60) {
  const fs = new MemoryFs({ files: new Map(), folders: new Set(['/', '/project']) });
  const chance = new Chance(7);
  const ports = portsOn(fs, makers.xxh64, chance);
  const append = (count: number, size = bytes) => {
    const writer = new JournalWriter(ports, ROOT, { lockBudgetMs: 0 });
    const events = Array.from({ length: count }, (_, n) =>
      newEvent({ n, text: chance.bytes(size).toString('base64') }, chance),
    );
    const { seqs } = writer.append(events.map((one) => ({ ...one, durability: 'disk' as const })));
    writer.close();
    return seqs;
  };
  const rotate = () => {
    const writer = new JournalWriter(ports, ROOT, { lockBudgetMs: 0 });
    writer.rotate(0);
    writer.close();
  };
  append(3);
  rotate();
  append(3);
  rotate();
  append(3);
  const segments = () =>
    [...fs.image().files.keys()].filter((file) => /\.b10z?$/.test(file)).sort();
  const damage = (file: string, change: (bytes: Buffer) => Buffer | undefined) => {
    const copy = Buffer.from(fs.bytesOf(file));
    fs.rot(file, change(copy) ?? copy);
  };
  return { fs, ports, append, rotate, segments, damage };
}

export const verify = (ports: JournalPorts) => verifyJournal(ports, ROOT, decoders);
export const entriesOf = (ports: JournalPorts) =>
  [...new JournalReader(ports, ROOT, decoders).entries()].flatMap(({ entry }) => entry ?? []);
export const seqsOf = (ports: JournalPorts) => entriesOf(ports).map(({ seq }) => seq);
export const repair = (ports: JournalPorts) => repairJournal(ports, ROOT, decoders);
export const plan = (ports: JournalPorts) => planRepair(ports, ROOT, decoders);
export const quarantined = (fs: MemoryFs) =>
  [...fs.image().files].filter(([file]) => file.startsWith(`${layout.quarantine}/`));
export const offsetsOf = (ports: JournalPorts) =>
  entriesOf(ports).map((entry) => (entry as { offset?: number }).offset ?? -1);
