import path from 'node:path';
import { JournalReader } from '../../src/journal/reader.ts';
import { repairJournal } from '../../src/journal/repair.ts';
import type { Decoders } from '../../src/platform/codecs/codecs.ts';
import type { Sample, Tally } from './campaign.ts';
import { Chance } from './chance.ts';
import { portsOn, type TestJournal } from './journal.ts';
import { MemoryFs } from './memory-fs.ts';
import { type Look, told, Violation } from './oracle.ts';
import { lostPieces, piecesOf } from './pieces.ts';

/**
 * Repairs a copy of a damaged journal: what could be read can be, all that could not be read stands where it stood or in
 * quarantine, and the journal is sound.
 * @throws Violation
 */
export function assertRepaired(journal: TestJournal, found: Look, decoders: Decoders): void {
  const { root, target, ports } = journal;
  const before = journal.fs.image();
  const fs = new MemoryFs(before);
  const repairing = portsOn(fs, ports.xxh64, new Chance(1));
  const { after } = repairJournal(repairing, root, decoders);
  if (!after.ok) throw new Violation(`damage is left: ${JSON.stringify(after.damage)}`);
  const read = new Map<number, Buffer>();
  for (const { entry } of new JournalReader(repairing, root, decoders).entries())
    if (entry !== undefined) read.set(entry.seq, entry.payload);
  for (const { seq, payload } of found.entries)
    if (read.get(seq)?.equals(payload) !== true) throw new Violation(`the repair lost @${seq}`);
  const bytesOf = (name: string) =>
    before.files.get(
      name.startsWith('blobs/') ? target : path.posix.join(path.posix.dirname(target), name),
    );
  const lost = lostPieces(piecesOf(found.damage, bytesOf), [...fs.image().files.values()]);
  if (lost.length > 0) throw new Violation(`${lost.join('; ')} (${told(found)})`);
}

/** Of so many damaged journals one is repaired: others with each seed. */
const REPAIRED_ONE_IN = 4;

export function repairer(decoders: Decoders, tally: Tally, seed: number): Sample {
  let seen = seed;
  return (journal, found, what) => {
    seen += 1;
    if (found.damage.length === 0 || seen % REPAIRED_ONE_IN !== 0) return;
    tally.damaged += 1;
    try {
      assertRepaired(journal, found, decoders);
    } catch (error) {
      const { message, stack } = error as Error;
      const why = error instanceof Violation ? message : stack;
      tally.violations.push(`--only '${journal.name}' ${what} --repair\n    ${why}`);
    }
  };
}
