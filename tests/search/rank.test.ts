import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyze, isStopTerm } from '../../src/search/analyze.ts';
import { BASES, FIELDS, type SearchDocument } from '../../src/search/document.ts';
import { IndexBuilder } from '../../src/search/index-build.ts';
import { mergeIndexes } from '../../src/search/index-merge.ts';
import { type IndexFile, openIndex } from '../../src/search/index-read.ts';
import { type RankQuery, rank } from '../../src/search/rank.ts';
import * as weights from '../../src/search/weights.ts';
import { seeded } from '../seeded.ts';
import { realPorts } from '../support.ts';

const { xxh64 } = realPorts;
const { K1, B, BASIS_WEIGHT, BESIDE, POOL, STOP_WEIGHT, SUPPORT, recencyOf } = weights;
const chain = Buffer.alloc(32);
const LEVELS = 31;
const WORDS = 'parser journal index file line the error token readLine branch commit what'.split(
  ' ',
);
const rare = (random: () => number) => Math.floor(WORDS.length * random() ** 2);

function corpus(count: number, random: () => number): SearchDocument[] {
  const words = (most: number) =>
    Array.from({ length: Math.floor(random() * most) + 1 }, () => WORDS[rare(random)]).join(' ');
  let seq = 1;
  return Array.from({ length: count }, () => {
    seq += 1 + Math.floor(random() * 3);
    return {
      seq,
      ...(random() < 0.3 && { joins: Math.max(1, seq - Math.floor(random() * 20)) }),
      session: random() < 0.1 ? null : `s${Math.floor(random() * 6)}`,
      at: random() < 0.05 ? 0 : Date.UTC(2026, 0, 5) + Math.floor(random() * 1e10),
      kind: 'answer',
      basis: BASES[Math.floor(random() * BASES.length)]!,
      texts: { ...(random() < 0.3 && { title: words(4) }), body: words(12) },
    };
  });
}

function fileOf(
  documents: readonly SearchDocument[],
  firstSeq: number,
  lastSeq: number,
): IndexFile {
  const builder = new IndexBuilder();
  for (const one of documents) builder.add(one);
  const range = { firstSeq, lastSeq, chainBefore: chain, chainAt: chain, erasureEpoch: 0 };
  return openIndex(builder.finish(range), xxh64)!;
}

/** Files with borders between any two seqs, some merged with their neighbours. */
function split(documents: readonly SearchDocument[], random: () => number): IndexFile[] {
  const files: IndexFile[] = [];
  const last = documents.at(-1)!.seq;
  for (let from = 1; from <= last; ) {
    const to = Math.min(last, from + Math.floor(random() * last));
    files.push(
      fileOf(
        documents.filter(({ seq }) => seq >= from && seq <= to),
        from,
        to,
      ),
    );
    from = to + 1;
  }
  const at = Math.floor(random() * files.length);
  const count = 1 + Math.floor(random() * (files.length - at));
  const merged = openIndex(mergeIndexes(files.slice(at, at + count)), xxh64)!;
  return [...files.slice(0, at), merged, ...files.slice(at + count)];
}

/** What each term gives a document, of 31 levels. */
function impactsOf({ texts }: SearchDocument): Map<string, number> {
  const sums = new Map<string, number>();
  for (const field of FIELDS) {
    const found: [string, boolean][] = [];
    analyze(texts[field] ?? '', (term, isName) => found.push([term, isName]));
    const length = 1 - B + (B * found.length) / weights.FIELD_LENGTH[field];
    const unit = weights.FIELD_WEIGHT[field] / length;
    for (const [term, isName] of found)
      sums.set(term, (sums.get(term) ?? 0) + (isName ? unit * weights.NAME_WEIGHT : unit));
  }
  const levelOf = (sum: number) => Math.max(1, Math.round((LEVELS * sum) / (K1 + sum)));
  return new Map([...sums].map(([term, sum]) => [term, levelOf(sum)]));
}

/** The same by looking at each document: no index, no blocks, no shortcuts. */
function byHand(all: readonly SearchDocument[], { should, must, not, upto, limit }: RankQuery) {
  const documents = all.filter(({ seq }) => seq <= (upto ?? Number.POSITIVE_INFINITY));
  const impacts = documents.map(impactsOf);
  const asked = [...new Set([...should, ...must.flat()])];
  const isTelling = asked.some((one) => !isStopTerm(one));
  /** Common words beside telling ones find nothing by themselves. */
  const isExtra = (one: string) => isTelling && isStopTerm(one);
  const terms = asked
    .map((term) => {
      const count = impacts.filter((has) => has.has(term)).length;
      const idf = Math.log(1 + (documents.length - count + 0.5) / (count + 0.5));
      return { term, count, idf: idf * (isStopTerm(term) ? STOP_WEIGHT : 1) };
    })
    .filter(({ count }) => count > 0)
    .sort(
      (a, b) =>
        Number(isExtra(a.term)) - Number(isExtra(b.term)) ||
        a.count - b.count ||
        (a.term < b.term ? -1 : 1),
    );
  const total = terms.reduce((sum, { idf }) => sum + idf, 0);
  const newest = Math.max(0, ...documents.map(({ at }) => at));
  const hasAll = (has: Map<string, number>, list: readonly string[]) =>
    list.every((t) => has.has(t));
  const hits = documents.flatMap(({ seq, joins = seq, session, at, basis }, place) => {
    const has = impacts[place]!;
    if (!terms.some(({ term }) => has.has(term) && !isExtra(term))) return [];
    if (!must.every((list) => hasAll(has, list)) || not.some((list) => hasAll(has, list)))
      return [];
    let [words, covered] = [0, 0];
    for (const { term, idf } of terms) {
      if (!has.has(term)) continue;
      words = Math.fround(words + ((idf * (K1 + 1)) / LEVELS) * has.get(term)!);
      covered = Math.fround(covered + idf);
    }
    const coverage = Math.min(1, covered / total);
    const score = words * coverage * recencyOf(newest - at) * BASIS_WEIGHT[basis];
    return [{ seq, joins, session, place, score }];
  });
  type Hit = (typeof hits)[number];
  const order = (a: Hit, b: Hit) => b.score - a.score || b.place - a.place;
  const best = hits.sort(order).slice(0, Math.max(POOL, limit));
  const own = new Map(best.map(({ place, session, score }) => [place, { session, score }]));
  for (const session of new Set(best.map((hit) => hit.session))) {
    if (session === null) continue;
    const of = best.filter((hit) => hit.session === session);
    const worth = of.map(({ place }) =>
      [place - 1, place + 1].reduce((sum, beside) => {
        const other = own.get(beside);
        return other?.session === session ? sum + BESIDE * other.score : sum;
      }, own.get(place)!.score),
    );
    worth.sort((a, b) => b - a);
    const all = SUPPORT.reduce((sum, weight, i) => sum + weight * (worth[i] ?? 0), 0);
    of[0]!.score += all - of[0]!.score;
  }
  const shown = best.sort(order).slice(0, limit);
  const of = new Set(hits.map(({ joins }) => joins)).size;
  return { of, hits: shown.map(({ seq, place, score }) => ({ seq, place, score })) };
}

const asked = (files: readonly IndexFile[], query: RankQuery) => {
  const { hits, of } = rank(files, query);
  return { of, hits: hits.map(({ seq, place, score }) => ({ seq, place, score })) };
};

const term = fc.constantFrom(
  'parser',
  'journal',
  'error',
  'the',
  'commit',
  'readlin',
  'line',
  'nowher',
);
const lists = fc.array(fc.array(term, { minLength: 1, maxLength: 2 }), { maxLength: 2 });

describe('a ranking', () => {
  it('is that of every document looked at, wherever files begin and end, as of any point', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.constantFrom(1, 30, 300, 1500),
        fc.array(term, { minLength: 1, maxLength: 5 }),
        lists.filter((all) => all.length < 2),
        lists,
        fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
        (seed, count, should, must, not, part) => {
          const documents = corpus(count, seeded(seed));
          const upto = part === undefined ? undefined : Math.ceil(part * documents.at(-1)!.seq);
          const query: RankQuery = {
            should,
            must,
            not,
            limit: 10,
            ...(upto !== undefined && { upto }),
          };
          const wanted = byHand(documents, query);
          expect(asked(split(documents, seeded(seed + 1)), query)).toEqual(wanted);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('as of a point is that of a journal that ended there', () => {
    const documents = corpus(700, seeded(4));
    const upto = documents[400]!.seq;
    const query = { should: ['parser', 'error', 'journal'], must: [], not: [], limit: 500 };
    const before = documents.filter(({ seq }) => seq <= upto);
    expect(asked(split(documents, seeded(5)), { ...query, upto })).toEqual(
      asked([fileOf(before, 1, upto)], query),
    );
  });

  it('leaves out what is not accepted, and counts the rest', () => {
    const documents = corpus(200, seeded(6));
    const accepts = (file: IndexFile, row: number) => file.sessionOf(row) === 's1';
    const found = rank(split(documents, seeded(7)), {
      ...{ should: ['parser'], must: [], not: [], limit: 500 },
      accepts,
    });
    expect(new Set(found.hits.map(({ session }) => session))).toEqual(new Set(['s1']));
    expect(found.of).toBe(new Set(found.hits.map(({ fact }) => fact)).size);
  });

  it('puts the newer of two equals first', () => {
    const equal = [1, 2, 3].map((seq): SearchDocument => {
      const about = { at: 5, kind: 'answer', basis: 'agent' } as const;
      return { ...about, seq, session: null, texts: { body: 'parser' } };
    });
    const query = { should: ['parser'], must: [], not: [], limit: 2 };
    expect(asked([fileOf(equal, 1, 3)], query).hits.map(({ seq }) => seq)).toEqual([3, 2]);
  });

  it('scores by the rarest 64 terms of a longer query', () => {
    const body = Array.from({ length: 100 }, (_, i) => `word${i}x`).join(' ');
    const about = { at: 5, kind: 'answer', basis: 'agent', session: null } as const;
    const files = [
      fileOf(
        [1, 2].map((seq) => ({
          ...about,
          seq,
          texts: { body: seq === 1 ? body : `${body} word` },
        })),
        1,
        2,
      ),
    ];
    const should: string[] = [];
    analyze(`${body} word`, (one) => should.push(one));
    expect(rank(files, { should, must: [], not: [], limit: 2 }).hits[0]!.seq).toBe(2);
  });
});
