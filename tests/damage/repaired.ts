import path from 'node:path';
import { REPAIRED_TYPE } from '../../src/journal/append/own-events.ts';
import { JournalWriter } from '../../src/journal/append/writer.ts';
import { typeTag } from '../../src/journal/format/envelope.ts';
import { FRAME_KIND_SKIPPABLE, SEGMENT_HEADER_BYTES } from '../../src/journal/format/format.ts';
import type { Entry } from '../../src/journal/format/frame.ts';
import { laterHlc } from '../../src/journal/format/hlc.ts';
import type { JournalPorts } from '../../src/journal/format/ports.ts';
import { JournalReader } from '../../src/journal/read/reader.ts';
import { planRepair, repairJournal } from '../../src/journal/repair/repair.ts';
import { compactJournal } from '../../src/journal/seal/compact.ts';
import type { Codecs } from '../../src/journal/seal/compact-segment.ts';
import type { RecordedLoss } from '../../src/journal/verify/gaps.ts';
import { verifyJournal } from '../../src/journal/verify/verify.ts';
import type { Sample, Tally } from './campaign.ts';
import { Chance } from './chance.ts';
import type { Stretch } from './craft.ts';
import { payloadOf, START_MS } from './entries.ts';
import type { ReadApart } from './independent.ts';
import { portsOn, type TestJournal } from './journal.ts';
import { MemoryFs } from './memory-fs.ts';
import { assertHonest, type Look, told, Violation } from './oracle.ts';
import { lostPieces, piecesOf } from './pieces.ts';

/**
 * Repairs a copy of a damaged journal: what could be read can be, all that could not be read stands where it stood or in
 * quarantine, what is recorded as lost is, no seq is given away twice, and the journal is sound: a second repair has nothing to do.
 * @param first who comes by before
 * @throws Violation
 */
function assertRepaired(
  journal: TestJournal,
  found: Look,
  codecs: Codecs,
  readApart: ReadApart,
  first: First,
): void {
  const { decoders } = codecs;
  const { root, ports } = journal;
  const before = journal.fs.image();
  const fs = new MemoryFs(before);
  const repairing = portsOn(fs, ports.xxh64, new Chance(1), LATER_MS);
  COMES_BY[first](repairing, root, codecs);
  const { after } = repairJournal(repairing, root, decoders);
  if (!after.ok) throw new Violation(`damage is left: ${JSON.stringify(after.damage)}`);
  const then = planRepair(repairing, root, decoders);
  if (then.length > 0) throw new Violation(`a second repair plans ${JSON.stringify(then)}`);
  const entries = [...new JournalReader(repairing, root, decoders).entries()].flatMap(
    ({ entry }) => entry ?? [],
  );
  const newTag = typeTag(REPAIRED_TYPE, ports.xxh64);
  const isNew = ({ typeTag, id }: Entry) => typeTag === newTag || isAppended(id);
  const old = entries.filter((one) => !isNew(one));
  assertInOrder(journal, entries, isNew);
  assertRecorded(after.losses, entries);
  assertOwn(journal, old);
  const read = new Map(entries.map(({ seq, payload }) => [seq, payload]));
  for (const { seq, payload } of found.entries)
    if (read.get(seq)?.equals(payload) !== true) throw new Violation(`the repair lost @${seq}`);
  const isBack = ({ firstSeq, lastSeq }: Stretch): boolean => {
    for (let seq = firstSeq; seq <= lastSeq; seq += 1) {
      const entry = journal.written.get(seq);
      // Readers pass over what is skippable; the chain says that it is there.
      if (entry === undefined || entry.kind >= FRAME_KIND_SKIPPABLE) continue;
      if (read.get(seq)?.equals(entry.payload) !== true) return false;
    }
    return true;
  };
  // A text's name is told without its folder.
  const bytesOf = (name: string) =>
    [...before.files].find(
      ([file]) => path.posix.basename(file) === path.posix.basename(name),
    )?.[1];
  // Under a broken header all of a segment is damaged; what of it turned out to be whole may be packed anew.
  const missing = found.damage.flatMap((one) =>
    without(one, (journal.stretchesOf.get(one.segment) ?? []).filter(isBack)),
  );
  const lost = lostPieces(piecesOf(missing, bytesOf), [...fs.image().files.values()]);
  if (lost.length > 0) throw new Violation(`${lost.join('; ')} (${told(found)})`);
  if (first === 'nobody') assertLasting(journal, repairing, codecs, readApart);
}

/** What a repair left is sound to the independent reader, too, and a compaction changes nothing of it. */
function assertLasting(
  journal: TestJournal,
  ports: JournalPorts,
  codecs: Codecs,
  readApart: ReadApart,
): void {
  const { root } = journal;
  const read = () =>
    [...new JournalReader(ports, root, codecs.decoders).entries()]
      .flatMap(({ entry }) => entry ?? [])
      .map(({ seq, id }) => `${seq} ${id.toString('hex')}`)
      .join();
  const before = read();
  // Of losses that are recorded it knows nothing.
  const isLost = ({ kind }: Told) => kind === 'missing' || kind === 'blob';
  const { damage: told } = readApart({ ...journal, fs: ports.fs as MemoryFs });
  const apart = told.filter((one) => !isLost(one));
  if (apart.length > 0) throw new Violation(`the other reader finds ${JSON.stringify(apart)}`);
  const { segments } = compactJournal(ports, root, codecs);
  // One that lost all of its events is sound and stays, and is called "damaged or empty" there.
  const filled = segments.filter(({ bytesBefore }) => bytesBefore > SEGMENT_HEADER_BYTES);
  const left = filled.filter(({ why }) => why.includes('damaged'));
  if (left.length > 0) throw new Violation(`a compaction leaves ${JSON.stringify(left)}`);
  if (read() !== before) throw new Violation('a compaction changes what is read');
  const { damage } = verifyJournal(ports, root, codecs.decoders);
  if (damage.length > 0) throw new Violation(`behind a compaction: ${JSON.stringify(damage)}`);
}

/**
 * Seqs and clocks rise, no event is there twice, and none that came later has the seq of one that was written before: something
 * may refer to it.
 */
export function assertInOrder(
  { written }: TestJournal,
  entries: readonly Entry[],
  isNew: (entry: Entry) => boolean,
): void {
  const ids = new Set<string>();
  let before: Entry | undefined;
  for (const entry of entries) {
    const { seq, hlc, id } = entry;
    if (before !== undefined) {
      if (seq <= before.seq) throw new Violation(`@${seq} comes behind @${before.seq}`);
      if (laterHlc(before.hlc, hlc) === before.hlc)
        throw new Violation(`the clock of @${seq} does not rise`);
    }
    if (ids.has(id.toString('hex'))) throw new Violation(`@${seq} is there twice`);
    ids.add(id.toString('hex'));
    if (isNew(entry) && !(written.get(seq)?.id.equals(id) ?? true))
      throw new Violation(`@${seq} was another event's seq`);
    before = entry;
  }
}

/** What is recorded as lost is not there. */
export function assertRecorded(losses: readonly RecordedLoss[], entries: readonly Entry[]): void {
  for (const { segment, firstSeq, lastSeq } of losses) {
    if (firstSeq === null || segment.startsWith('blobs/')) continue;
    const there = entries.find(({ seq }) => firstSeq <= seq && seq <= lastSeq!);
    if (there !== undefined)
      throw new Violation(
        `@${there.seq} is there, and @${firstSeq} to @${lastSeq} recorded as lost`,
      );
  }
}

/**
 * What a repair brings back is what was written.
 * @throws Violation
 */
export function assertOwn(journal: TestJournal, entries: readonly Entry[]): void {
  assertHonest(journal, {
    entries: [...entries],
    damage: [],
    isOk: true,
    lost: [],
    passedBy: [],
    refused: undefined,
  });
}

/** Behind every event: how late those were that cannot be read, nobody knows but by the clock. */
const LATER_MS = START_MS + 60_000;

/** Who may come by between damage and its repair: nobody, a writer, which goes on behind it, or one and a compaction. */
const COMES_BY = {
  nobody: () => undefined,
  writer: (ports: JournalPorts, root: string) => append(ports, root, 0xaa),
  compaction: (ports: JournalPorts, root: string, codecs: Codecs) => {
    append(ports, root, 0xaa);
    append(ports, root, 0xbb);
    compactJournal(ports, root, codecs);
  },
} as const;
type First = keyof typeof COMES_BY;
const FIRSTS = Object.keys(COMES_BY) as First[];

/** In a segment of its own. */
function append(ports: JournalPorts, root: string, fill: number): void {
  const writer = new JournalWriter(ports, root, { lockBudgetMs: 1000 });
  try {
    const id = Buffer.alloc(16, fill);
    const payload = payloadOf({ text: 'an append' });
    writer.append([
      { id, typeTag: typeTag('test.appended', ports.xxh64), payload, durability: 'process' },
    ]);
    writer.rotate(0);
  } finally {
    writer.close();
  }
}

const isAppended = (id: Buffer): boolean =>
  [0xaa, 0xbb].some((fill) => id.equals(Buffer.alloc(16, fill)));

type Told = Look['damage'][number];

/** What is left of the damaged bytes without those stretches, which are ordered. */
function without(damage: Told, stretches: readonly Stretch[]): Told[] {
  const left: Told[] = [];
  const until = damage.offset + damage.bytes;
  let from = damage.offset;
  for (const { start, end } of [...stretches, { start: until, end: until }]) {
    const to = Math.min(start, until);
    if (to > from) left.push({ ...damage, offset: from, bytes: to - from });
    from = Math.max(from, end);
  }
  return left;
}

/** Of so many damaged journals one is repaired: others with each seed. */
const REPAIRED_ONE_IN = 4;

export function repairer(codecs: Codecs, readApart: ReadApart, tally: Tally, seed: number): Sample {
  let seen = seed;
  return (journal, found, what) => {
    seen += 1;
    if (found.damage.length === 0 || seen % REPAIRED_ONE_IN !== 0) return;
    for (const first of FIRSTS) {
      tally.damaged += 1;
      try {
        assertRepaired(journal, found, codecs, readApart, first);
      } catch (error) {
        const { message, stack } = error as Error;
        const why = error instanceof Violation ? message : stack;
        const when = first === 'nobody' ? '' : `after a ${first}: `;
        tally.violations.push(`--only '${journal.name}' ${what} --repair\n    ${when}${why}`);
      }
    }
  };
}
