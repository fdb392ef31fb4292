import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { IndexRange, Mark, SearchDocument } from '../../src/search/document.ts';
import { IndexBuilder } from '../../src/search/index-build.ts';
import { mergeIndexes } from '../../src/search/index-merge.ts';
import { type IndexFile, openIndex } from '../../src/search/index-read.ts';
import { rank } from '../../src/search/rank.ts';
import { realPorts } from '../support.ts';

const { xxh64 } = realPorts;
const range = (firstSeq: number, lastSeq: number): IndexRange => ({
  firstSeq,
  lastSeq,
  chainBefore: Buffer.alloc(32, firstSeq),
  chainAt: Buffer.alloc(32, lastSeq),
  erasureEpoch: 2 ** 40,
});
const document = (seq: number, more: Partial<SearchDocument> = {}): SearchDocument => ({
  seq,
  session: 's1',
  at: Date.UTC(2026, 0, 5) + seq,
  kind: 'answer',
  basis: 'agent',
  texts: { body: `word${seq} parser` },
  ...more,
});

function written(documents: readonly SearchDocument[], marks: readonly Mark[] = []): Buffer {
  const builder = new IndexBuilder();
  for (const one of documents) builder.add(one);
  for (const mark of marks) builder.mark(mark);
  return builder.finish(range(documents[0]?.seq ?? 1, documents.at(-1)?.seq ?? 1));
}
const open = (bytes: Buffer): IndexFile => openIndex(bytes, xxh64)!;
const rowsOf = (file: IndexFile) =>
  Array.from({ length: file.rows }, (_, row) => ({
    seq: file.seqOf(row),
    session: file.sessionOf(row),
    at: file.atOf(row),
    kind: file.kindOf(row),
    basis: file.basisOf(row),
  }));
const termsOf = (file: IndexFile) => [...file.termsLike('')];
const sumAgain = (bytes: Buffer): Buffer => {
  const end = bytes.length - 8;
  bytes.writeBigUInt64LE(xxh64(bytes.subarray(0, end), 0n), end);
  return bytes;
};

describe('an index file', () => {
  it('gives rows back as they were added', () => {
    const file = open(
      written([
        document(5),
        document(5, { session: null, kind: 'call', basis: 'ran' }),
        document(70_000, { session: 's2', at: 0 }),
        document(70_001, { at: Date.UTC(2026, 0, 6), kind: 'work', basis: 'user' }),
      ]),
    );
    expect(rowsOf(file)).toEqual([
      { ...row(5), at: Date.UTC(2026, 0, 5) + 5 },
      {
        ...row(5),
        at: Date.UTC(2026, 0, 5) + 5,
        session: null,
        kind: 'call',
        basis: 'ran',
      },
      { ...row(70_000), session: 's2', at: 0 },
      { ...row(70_001), at: Date.UTC(2026, 0, 6), kind: 'work', basis: 'user' },
    ]);
    expect(file.range).toEqual(range(5, 70_001));
    expect([4, 5, 69_999, 70_000, 80_000].map((seq) => file.rowsUpto(seq))).toEqual([
      0, 2, 2, 3, 4,
    ]);
  });

  it('keeps seqs and times that lie far apart', () => {
    const far = [document(1), document(2 ** 31, { at: 1 }), document(2 ** 31 + 1, { at: 2 ** 45 })];
    expect(rowsOf(open(written(far))).map(({ seq, at }) => [seq, at])).toEqual(
      far.map(({ seq, at }) => [seq, at]),
    );
  });

  it('gives marks back as they were made', () => {
    const marks: Mark[] = [
      { seq: 3, session: 's1', at: 17, pos: 2 ** 40 },
      { seq: 3, session: null, at: 0, rewoundTo: -1 },
      { seq: 9, session: 's9', at: 18, branch: 'main' },
    ];
    expect(open(written([document(1)], marks)).marks()).toEqual(marks);
  });

  it('may be empty', () => {
    const file = open(written([]));
    expect([file.rows, termsOf(file), file.marks(), file.postings('parser')]).toEqual([
      0,
      [],
      [],
      undefined,
    ]);
  });

  it('lists its terms in order, by their beginning', () => {
    const file = open(written(Array.from({ length: 40 }, (_, i) => document(i + 1))));
    const all = termsOf(file).map(({ term }) => term);
    expect(all).toEqual([...all].sort());
    expect([...file.termsLike('word39')].map(({ count }) => count)).toEqual([1]);
    expect([...file.termsLike('pars')].map(({ count }) => count)).toEqual([40]);
    expect(all.filter((term) => file.postings(term) === undefined)).toEqual([]);
  });

  it('merged of its neighbours is the one that all documents would have made', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 2, maxLength: 40 }),
        (sizes) => {
          let seq = 0;
          const runs = sizes.map((size) =>
            Array.from({ length: size + 1 }, () => {
              seq += 1;
              return document(seq, { session: `s${seq % 5}`, at: seq % 7 === 0 ? 0 : seq * 1000 });
            }),
          );
          const marksOf = (run: SearchDocument[]): Mark[] => [
            { seq: run[0]!.seq, session: 's1', at: 5, pos: 7 },
          ];
          const parts = runs.map((run) => open(written(run, marksOf(run))));
          const whole = written(runs.flat(), runs.flatMap(marksOf));
          expect(mergeIndexes(parts).equals(whole)).toBe(true);
        },
      ),
      { numRuns: 30 },
    );
  });
});

const row = (seq: number) => ({
  seq,
  session: 's1',
  kind: 'answer',
  basis: 'agent',
});

describe('an index file that is not as it was written', () => {
  const bytes = written(
    Array.from({ length: 600 }, (_, i) => document(i + 1, { session: `s${i % 4}` })),
    [{ seq: 2, session: 's1', at: 3, pos: 4, rewoundTo: 1, branch: 'main' }],
  );

  it('is not opened: any bit turned', () => {
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, bits) => {
        const turned = Buffer.from(bytes);
        turned[at]! ^= bits;
        expect(openIndex(turned, xxh64)).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  it('is not opened: cut anywhere, or longer', () => {
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), (length) => {
        expect(openIndex(bytes.subarray(0, length), xxh64)).toBeUndefined();
      }),
      { numRuns: 300 },
    );
    expect(openIndex(Buffer.concat([bytes, Buffer.alloc(1)]), xxh64)).toBeUndefined();
  });

  it.each([
    ['format', 4],
    ['analysis', 6],
  ])('is not opened: of another version of the %s', (_, at) => {
    const other = Buffer.from(bytes);
    other.writeUInt16LE(other.readUInt16LE(at) + 1, at);
    expect(openIndex(sumAgain(other), xxh64)).toBeUndefined();
  });

  const after = open(written([document(601)]));

  it('is read within bounds, if somebody made it with a right checksum', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(bytes.length - 9), fc.nat(255)), { minLength: 1, maxLength: 8 }),
        (changes) => {
          const forged = Buffer.from(bytes);
          for (const [at, byte] of changes) forged[at] = byte;
          const file = openIndex(sumAgain(forged), xxh64);
          if (file === undefined) return;
          rowsOf(file);
          file.marks();
          termsOf(file);
          for (const upto of [undefined, 300])
            rank([file], {
              should: ['parser', 'word7'],
              must: [],
              not: [['word9']],
              limit: 5,
              ...(upto && { upto }),
            });
          mergeIndexes([file, after]);
        },
      ),
      { numRuns: 300 },
    );
  });
});
