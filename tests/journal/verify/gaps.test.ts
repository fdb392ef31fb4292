import { describe, expect, it } from 'vitest';
import { REPAIRED_TYPE } from '../../../src/journal/append/own-events.ts';
import { decodeEnvelope, encodeEnvelope, typeTag } from '../../../src/journal/format/envelope.ts';
import { FRAME_KIND } from '../../../src/journal/format/format.ts';
import type { Entry } from '../../../src/journal/format/frame.ts';
import { JournalReader } from '../../../src/journal/read/reader.ts';
import { lossesIn, repairedEvents } from '../../../src/journal/repair/events.ts';
import {
  LOSSES_VERSION,
  RecordedLosses,
  recordedLosses,
} from '../../../src/journal/verify/gaps.ts';
import type { Verification } from '../../../src/journal/verify/verify.ts';
import { realPorts } from '../../support.ts';
import { decoders, journalInMemory, makers, ROOT, repair } from '../repair/repairs.ts';

const { xxh64 } = realPorts;
const TAG = typeTag(REPAIRED_TYPE, xxh64);
const AT = 100;

/** What an event about repairs says, as it stands in the journal at seq 100. */
function entryOf(data: unknown, version = LOSSES_VERSION, more: Partial<Entry> = {}): Entry {
  const payload = encodeEnvelope({
    type: REPAIRED_TYPE,
    version,
    session: null,
    agent: null,
    client: null,
    source: 'journal',
    at: 0,
    data,
  });
  return { kind: FRAME_KIND.event, typeTag: TAG, seq: AT, payload, ...more } as Entry;
}

function noted(...entries: Entry[]): RecordedLosses {
  const losses = new RecordedLosses(xxh64);
  for (const entry of entries) losses.note(entry);
  return losses;
}

const lost = (firstSeq: unknown, lastSeq: unknown, segment: unknown = '1.b10') => ({
  segment,
  firstSeq,
  lastSeq,
});

const missing = (firstSeq: number | null, lastSeq: number | null, kind = 'missing') =>
  ({ kind, segment: '1.b10', offset: 0, bytes: 0, firstSeq, lastSeq }) as Parameters<
    RecordedLosses['covers']
  >[0];

describe('a loss that a repair recorded', () => {
  it('is told of, with the event that records it', () => {
    expect(noted(entryOf({ lost: [lost(3, 5), lost(null, null, 'blobs/ab')] })).all).toEqual([
      { segment: '1.b10', firstSeq: 3, lastSeq: 5, recordedAt: AT },
      { segment: 'blobs/ab', firstSeq: null, lastSeq: null, recordedAt: AT },
    ]);
  });

  it.each<[string, unknown]>([
    ['seqs of its own or later ones', lost(99, AT)],
    ['a range the wrong way round', lost(5, 3)],
    ['a range from nothing', lost(0, 3)],
    ['half a range', lost(3, null)],
    ['texts', lost('3', '5')],
    ['fractions', lost(3.5, 5)],
    ['no segment', lost(3, 5, 7)],
    ['nothing', null],
  ])('is not believed when it says %s', (_, one) => {
    expect(noted(entryOf({ lost: [one] })).all).toEqual([]);
  });

  it('is not taken from an event that is none of these, is erased, or cannot be read', () => {
    const data = { lost: [lost(3, 5)] };
    const other = encodeEnvelope({ ...decodeEnvelope(entryOf(data).payload), type: 'a.b' });
    const entries = [
      entryOf(data, 1),
      entryOf(data, LOSSES_VERSION, { typeTag: TAG ^ 1 }),
      entryOf(data, LOSSES_VERSION, { kind: FRAME_KIND.tombstone }),
      entryOf(data, LOSSES_VERSION, { payload: other }),
      entryOf(data, LOSSES_VERSION, { payload: Buffer.from([0xc1]) }),
      entryOf({ lost: 'all' }),
      entryOf(null),
    ];
    expect(noted(...entries).all).toEqual([]);
  });

  it('covers what is missing when all of it was recorded, in whatever pieces and order', () => {
    const losses = noted(entryOf({ lost: [lost(6, 9), lost(3, 5), lost(4, 4)] }));
    expect(losses.covers(missing(3, 9))).toBe(true);
    expect(losses.covers(missing(4, 7))).toBe(true);
    expect(losses.covers(missing(2, 5))).toBe(false);
    expect(losses.covers(missing(3, 10))).toBe(false);
    expect(losses.covers(missing(3, null))).toBe(false);
    expect(losses.covers(missing(null, 3))).toBe(false);
    expect(losses.covers(missing(3, 5, 'body'))).toBe(false);
    expect(losses.covers(missing(null, null, 'blob'))).toBe(true);
    expect(noted().covers(missing(null, null, 'blob'))).toBe(false);
  });

  it('of a text covers no event: those that had it are there, and so is what stands between them', () => {
    const losses = noted(entryOf({ lost: [lost(3, 9, 'blobs/ab'), lost(5, 5)] }));
    expect(losses.covers(missing(3, 3))).toBe(false);
    expect(losses.covers(missing(4, 6))).toBe(false);
    expect(losses.covers(missing(5, 5))).toBe(true);
  });
});

describe('what a repair records', () => {
  it('is what is missing for good, told by as many events as it needs', () => {
    const damage = Array.from({ length: 450 }, (_, n) => ({
      kind: 'missing',
      segment: '1.b10',
      offset: 0,
      bytes: 0,
      firstSeq: n * 2 + 1,
      lastSeq: n * 2 + 1,
    }));
    const open = { ...damage[0]!, lastSeq: null };
    const text = { ...damage[0]!, kind: 'blob', segment: 'blobs/a', firstSeq: null, lastSeq: null };
    const found = lossesIn({
      damage: [...damage, open, text, { ...open, kind: 'tail' }],
    } as unknown as Verification);
    expect(found).toHaveLength(451);
    const told = [...repairedEvents(realPorts, [], ['a kept file'], found)].map(
      ({ payload }) => decodeEnvelope(payload).data as { kept: string[]; lost: unknown[] },
    );
    expect(told.map(({ kept, lost: of }) => [kept.length, of.length])).toEqual([
      [1, 200],
      [0, 200],
      [0, 51],
    ]);
  });
});

describe('losses that are looked for in a journal', () => {
  it('are those that repairs recorded in it, whatever else of it is damaged', () => {
    const { ports, segments, damage, fs } = journalInMemory();
    const found = () =>
      recordedLosses(new JournalReader(ports, ROOT, decoders), makers.xxh64).all.map(
        ({ firstSeq, lastSeq, recordedAt }) => [firstSeq, lastSeq, recordedAt],
      );
    expect(found()).toEqual([]);
    fs.unlink(segments()[1]!);
    expect(found()).toEqual([]);
    repair(ports);
    expect(found()).toEqual([[4, 6, 10]]);
    damage(segments()[0]!, (bytes) => void bytes.fill(0, 128, 140));
    expect(found()).toEqual([[4, 6, 10]]);
  });
});
