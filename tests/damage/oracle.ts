import { getBlob } from '../../src/journal/append/blobs.ts';
import { FRAME_KIND_SKIPPABLE } from '../../src/journal/format/format.ts';
import type { Entry } from '../../src/journal/format/frame.ts';
import { layoutOf } from '../../src/journal/format/layout.ts';
import { JournalReader } from '../../src/journal/read/reader.ts';
import type { Damage } from '../../src/journal/read/scan.ts';
import { verifyJournal } from '../../src/journal/verify/verify.ts';
import type { Decoders } from '../../src/platform/codecs/codecs.ts';
import { unlz4 } from '../../src/platform/codecs/lz4.ts';
import { unzstd } from '../../src/platform/codecs/zstd-read.ts';
import { Ben10Error } from '../../src/platform/errors.ts';
import type { TestJournal } from './journal.ts';

/** What a reader and a verification make of a journal as it stands. */
export interface Look {
  entries: Entry[];
  damage: (Damage & { segment: string })[];
  isOk: boolean;
  /** Seqs of events that were written and cannot be read. */
  lost: number[];
  /** Of these, what the reader passed by: no damage came in its place. The newest segment's end may be an append in flight. */
  passedBy: number[];
  /** The whole journal was refused, by an error of ben10's own. */
  refused: Ben10Error | undefined;
}

/** A promise that was broken, with all that is needed to see it again. */
export class Violation extends Error {}

export function look(journal: TestJournal, decoders: Decoders): Look {
  try {
    return lookInside(journal, decoders);
  } catch (error) {
    if (!(error instanceof Ben10Error)) throw error;
    return { entries: [], damage: [], isOk: false, lost: [], passedBy: [], refused: error };
  }
}

function lookInside({ ports, root, written }: TestJournal, decoders: Decoders): Look {
  const entries: Entry[] = [];
  /** Seqs between which damage came. */
  const told: Range[] = [];
  let isTold = false;
  for (const { entry } of new JournalReader(ports, root, decoders).entries()) {
    if (entry === undefined) {
      isTold = true;
      continue;
    }
    if (isTold) told.push({ firstSeq: (entries.at(-1)?.seq ?? 0) + 1, lastSeq: entry.seq - 1 });
    isTold = false;
    entries.push(entry);
  }
  const { damage, ok } = verifyJournal(ports, root, decoders);
  const read = new Set(entries.map(({ seq }) => seq));
  const lost: number[] = [];
  for (const { seq, kind } of written.values())
    if (kind < FRAME_KIND_SKIPPABLE && !read.has(seq)) lost.push(seq);
  const last = entries.at(-1)?.seq ?? 0;
  const passedBy = lost.filter((seq) => seq < last && !told.some((one) => covers(one, seq)));
  return { entries, damage, isOk: ok, lost, passedBy, refused: undefined };
}

/** Salt and payload are what a commitment is made of; only a tombstone has nothing else. */
const isSame = (a: Entry, b: Entry): boolean =>
  a.kind === b.kind &&
  a.flags === b.flags &&
  a.typeTag === b.typeTag &&
  a.syncedUpto === b.syncedUpto &&
  a.hlc.ms === b.hlc.ms &&
  a.hlc.count === b.hlc.count &&
  a.id.equals(b.id) &&
  a.salt.equals(b.salt) &&
  a.payload.equals(b.payload) &&
  (a.payload.length > 0 || a.commit.equals(b.commit));

/**
 * What holds after any damage at all: nothing is read that was not written, order stays, and whatever is missing is
 * told of, with the seqs it cost.
 * @throws Violation
 */
export function assertHonest(journal: TestJournal, found: Look): void {
  let last = 0;
  for (const entry of found.entries) {
    const before = journal.written.get(entry.seq);
    if (before === undefined) throw new Violation(`@${entry.seq} was never written`);
    if (!isSame(entry, before)) throw new Violation(`@${entry.seq} is not what was written`);
    if (entry.seq <= last) throw new Violation(`@${entry.seq} comes behind @${last}`);
    last = entry.seq;
  }
  if (found.refused !== undefined) return;
  if (found.isOk !== (found.damage.length === 0)) throw new Violation('ok does not fit the damage');
  for (const seq of found.lost) {
    if (!found.damage.some((one) => covers(one, seq)))
      throw new Violation(`@${seq} is lost, and no damage says so: ${told(found)}`);
  }
  if (found.passedBy.length > 0)
    throw new Violation(`the reader passes @${found.passedBy.join(', @')} by in silence`);
  for (const { seq } of found.entries) {
    const wrong = found.damage.find((one) => !TELLS_MORE.has(one.kind) && covers(one, seq));
    if (wrong !== undefined)
      throw new Violation(`@${seq} is there, and told of as lost: ${JSON.stringify(wrong)}`);
  }
}

/** Of events that are there all the same: where a text, or what proves them, is lost, and where a footer may be another segment's. */
const TELLS_MORE = new Set(['blob', 'index', 'chain', 'commit']);

type Range = Pick<Damage, 'firstSeq' | 'lastSeq'>;

const covers = ({ firstSeq, lastSeq }: Range, seq: number): boolean =>
  firstSeq !== null && firstSeq <= seq && seq <= (lastSeq ?? Number.POSITIVE_INFINITY);

export const told = ({ damage, refused }: Look): string =>
  refused === undefined
    ? JSON.stringify(damage)
    : `refused with ${refused.code}: ${refused.message}`;

/**
 * Of a text beside the journal there may be damage that changes nothing: what unpacks to the same text is the same text.
 * A segment's digest is of its bytes as they are stored: there, all damage is seen.
 * @throws Violation
 */
export function assertUnchanged({ ports, root, target, text }: TestJournal): void {
  if (text === undefined) throw new Violation('nobody saw it');
  const name = target.slice(target.lastIndexOf('/') + 1);
  const read = getBlob(ports, layoutOf(root), name, { lz4: unlz4, zstd: unzstd });
  if (read?.equals(text) !== true)
    throw new Violation('the text is another one, and nobody saw it');
}

/**
 * One bit was turned over: it is seen, its place is named, and it costs at most one event of a raw segment or one chunk
 * of a sealed one.
 * @throws Violation
 */
export function assertContained(journal: TestJournal, found: Look, byte: number): void {
  const name = journal.target.slice(journal.target.lastIndexOf('/') + 1);
  if (found.refused !== undefined) throw new Violation(told(found));
  if (found.damage.length === 0) {
    assertUnchanged(journal);
    return;
  }
  const isNamed = found.damage.some(
    ({ segment, offset, bytes, kind }) =>
      (kind === 'blob' && segment === `blobs/${name}`) ||
      (segment === name && (kind === 'index' || (offset <= byte && byte < offset + bytes))),
  );
  if (!isNamed) throw new Violation(`its place is not named: ${told(found)}`);
  if (found.lost.length === 0) return;
  const one = journal.stretches.find(({ start, end }) => start <= byte && byte < end);
  const isOne = found.lost.every(
    (seq) => one !== undefined && one.firstSeq <= seq && seq <= one.lastSeq,
  );
  if (!isOne) throw new Violation(`it cost @${found.lost.join(', @')}: ${told(found)}`);
}
