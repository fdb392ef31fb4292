/** @module-tag long */
import { describe, expect, it } from 'vitest';
import { FRAME_KIND } from '../../src/journal/format/format.ts';
import { planRepair, repairJournal } from '../../src/journal/repair/repair.ts';
import { verifyJournal } from '../../src/journal/verify/verify.ts';
import { loadZstd } from '../../src/platform/codecs/zstd-write.ts';
import { Ben10Error } from '../../src/platform/errors.ts';
import { loadXxh64 } from '../../src/platform/xxh64-wasm.ts';
import { Chance } from './chance.ts';
import { portsOn, ROOT } from './corpus.ts';
import { newDecoders } from './decoders.ts';
import { START_MS } from './entries.ts';
import { Life } from './lived.ts';
import { type Image, MemoryFs } from './memory-fs.ts';
import { changeSome } from './several.ts';

const seed = Number(process.env.BEN10_SEED);
const decoders = newDecoders();
const makers = { zstd: await loadZstd(), xxh64: await loadXxh64() };
const JOURNALS = 150;
const AGAIN = `BEN10_SEED=${seed} npx vitest run tests/damage/several.test.ts`;
/** Behind all that was appended before. */
const LATER_MS = START_MS + 60_000;

/** Whoever puts a file back that it was in puts back what was erased. */
const isFromBefore = (change: string): boolean =>
  /^[\w ]*as (?:it was|they were) before:/.test(change);

const idOf = ({ id }: { id: Buffer }): string => id.toString('hex');

/** What comes of errors that are told: nothing. */
function unlessTold(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Ben10Error)) throw error;
  }
}

function hurtAndRepaired(number: number): { changes: string[]; wrong: string[] } {
  const chance = new Chance(seed * 1009 + number);
  const fs = new MemoryFs({ files: new Map(), folders: new Set(['/', '/project']) });
  const life = new Life(chance, makers, decoders);
  const before = portsOn(fs, makers.xxh64, chance);
  life.append(before);
  const earlier: Image[] = [fs.image()];
  for (let n = chance.between(4, 14); n > 0; n -= 1) {
    life.act(before);
    earlier.push(fs.image());
  }
  const changes = changeSome(fs, chance, earlier);
  const ports = portsOn(fs, makers.xxh64, chance, LATER_MS);
  const wrong = life
    .read(ports)
    .filter((one) => !life.isTrue(one))
    .map(({ seq }) => `@${seq} is another event`);
  life.acknowledged.clear();
  for (let n = chance.below(4); n > 0; n -= 1) unlessTold(() => life.act(ports));
  const read = life.read(ports);
  const { after, items } = repairJournal(ports, ROOT, decoders);
  const isLeft = items.some(({ action }) => action === 'none');
  if (!after.ok && !isLeft) wrong.push(`damage is left: ${JSON.stringify(after.damage)}`);
  if (!isLeft && planRepair(ports, ROOT, decoders).length > 0)
    wrong.push('a second repair has something to do');
  life.append(ports);
  const last = life.read(ports);
  const there = new Map(last.map((one) => [idOf(one), one]));
  for (const one of read)
    if (life.written.has(idOf(one)) && !there.has(idOf(one)))
      wrong.push(`the repair lost @${one.seq}`);
  for (const id of life.acknowledged)
    if (!there.has(id)) wrong.push(`${id} was acknowledged behind the damage and is gone`);
  for (const [index, one] of last.entries()) {
    if (!life.isTrue(one)) wrong.push(`@${one.seq} is another event after the repair`);
    if (!changes.some(isFromBefore) && life.erased.has(idOf(one)) && one.kind === FRAME_KIND.event)
      wrong.push(`@${one.seq} was erased and is back`);
    if (index > 0 && one.seq <= last[index - 1]!.seq) wrong.push(`@${one.seq} is not in its order`);
  }
  if (there.size < last.length) wrong.push('an event is there twice');
  if (!isLeft && !verifyJournal(ports, ROOT, decoders).ok) wrong.push('not sound behind an append');
  if (fs.opened > 0) wrong.push(`${fs.opened} files are left open`);
  return { changes, wrong };
}

describe(`a journal of which some files were damaged, swapped, copied or put back from a backup (seed ${seed})`, () => {
  it('goes on, and a repair loses nothing that can be read, gives nothing else for it, and leaves it sound', () => {
    for (let number = 0; number < JOURNALS; number += 1) {
      const { changes, wrong } = hurtAndRepaired(number);
      expect(wrong, `${AGAIN}, number ${number}: ${changes.join('; ')}`).toEqual([]);
    }
  });
});
