// A million documents of words by Zipf's law: the size of the index, how long it takes to build, to open and to ask, as of now
// and as of the middle. Beside it SQLite's FTS5 without contents, which gets the same texts.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { peer } from '../lib/peers.mjs';
import { loadProgram } from '../lib/program.mjs';
import { seeded } from '../lib/random.mjs';
import {
  flags,
  missingRow,
  p95Row,
  ratioRow,
  script,
  singleRow,
  valueRow,
} from '../lib/report.mjs';
import { interleaved } from '../lib/rounds.mjs';
import { scratch } from '../lib/scratch.mjs';
import { quantile } from '../lib/stats.mjs';

const WORDS = 200_000;
/** From half to one and a half of it. */
const WORDS_A_DOCUMENT = 24;
const DOCUMENTS_A_SESSION = 500;
const TERMS_A_QUERY = 4;
const LIMIT = 10;
/** As files lie once neighbours were merged eight to one: up to seven of a size, but for the largest. */
const FILE_SIZES = [262_144, 32_768, 4096, 512];
const FTS = 'FTS5, contentless';

/** @returns rows of a million documents; `quick`: of a tenth */
export async function scale({ quick }) {
  const count = quick ? 100_000 : 1_000_000;
  const program = await loadProgram();
  const hash = await program.loadXxh64();
  const dir = scratch();
  const building = buildIndex(program, hash, dir, count);
  const db = await buildFts(dir, count);
  const read = () => filesIn(dir).map((file) => program.openIndex(readFileSync(file), hash));
  const opening = await interleaved({ open: () => void read() }, quick ? 5 : 10);
  const files = read();
  const samples = await ask(program, files, db, count, quick ? 60 : 150);
  const name = `${count.toLocaleString('en')} documents`;
  const size = filesIn(dir).reduce((sum, file) => sum + statSync(file).size, 0);
  const row = (figure) => `search, ${name}: ${figure}`;
  return [
    sizeRow(row('size of the index'), size, db),
    singleRow(row('building, each'), (building.ms * 1000) / count, 'µs', 80),
    valueRow(row('opening'), opening.open, 'ms'),
    valueRow(row(`a query of ${TERMS_A_QUERY} words`), samples.head, 'ms', 10),
    singleRow(row('the same, p95'), quantile(samples.head, 0.95), 'ms', 100),
    ratioRow(row('as of the middle'), samples.middle, samples.head, 'head', 1),
    ...(db === undefined
      ? [missingRow(row('a query'), FTS)]
      : [
          ratioRow(row('a query'), samples.head, samples.fts, FTS),
          p95Row(row('a query'), samples.head, samples.fts, FTS),
        ]),
  ];
}

function sizeRow(figure, size, db) {
  if (db === undefined) return missingRow(figure, FTS, 0.6);
  const row = singleRow(figure, size / db.size, 'ratio', 0.6);
  return { ...row, peer: `${FTS} ${Math.round(db.size / 1e6)} MB, ours ${Math.round(size / 1e6)}` };
}

const filesIn = (dir) =>
  readdirSync(dir)
    .filter((name) => name.endsWith('.b10x'))
    .map((name) => path.join(dir, name));

/** Analyses, writes runs of the smallest size and merges them as they come, as keeping up does. */
function buildIndex({ IndexBuilder, mergeIndexes, openIndex }, hash, dir, count) {
  const range = { chainBefore: Buffer.alloc(32), chainAt: Buffer.alloc(32), erasureEpoch: 0 };
  const texts = textsOf(count);
  let ms = 0;
  let start = performance.now();
  const build = (from, to) => {
    const builder = new IndexBuilder();
    for (let seq = from; seq <= to; seq += 1) {
      ms += performance.now() - start;
      const body = texts();
      start = performance.now();
      builder.add(documentOf(seq, body));
    }
    return builder.finish({ ...range, firstSeq: from, lastSeq: to });
  };
  /** Of the size `level`, from eight (or what is left) of the next smaller size. */
  const grow = (from, to, level) => {
    const step = FILE_SIZES[level + 1];
    if (step === undefined) return build(from, to);
    const parts = [];
    for (let at = from; at <= to; at += step)
      parts.push(openIndex(grow(at, Math.min(to, at + step - 1), level + 1), hash));
    return mergeIndexes(parts);
  };
  for (let from = 1; from <= count; ) {
    const level = FILE_SIZES.findIndex((size) => size <= count - from + 1);
    const to = level === -1 ? count : from + FILE_SIZES[level] - 1;
    start = performance.now();
    const bytes = level === -1 ? build(from, to) : grow(from, to, level);
    ms += performance.now() - start;
    start = performance.now();
    writeFileSync(path.join(dir, `${String(from).padStart(16, '0')}.b10x`), bytes);
    from = to + 1;
  }
  return { ms };
}

const documentOf = (seq, body) => ({
  seq,
  session: `session-${Math.floor(seq / DOCUMENTS_A_SESSION)}`,
  agent: null,
  at: Date.UTC(2026, 0, 5) + seq * 20_000,
  kind: 'answer',
  basis: seq % 3 === 0 ? 'user' : 'ran',
  texts: { body },
});

async function buildFts(dir, count) {
  const Database = (await peer('better-sqlite3'))?.default;
  if (Database === undefined) return undefined;
  const file = path.join(dir, 'fts.db');
  const db = new Database(file);
  db.pragma('journal_mode = OFF');
  db.exec("CREATE VIRTUAL TABLE docs USING fts5(body, content='')");
  const texts = textsOf(count);
  const insert = db.prepare('INSERT INTO docs (rowid, body) VALUES (?, ?)');
  db.transaction(() => {
    for (let seq = 1; seq <= count; seq += 1) insert.run(seq, texts());
  })();
  db.exec("INSERT INTO docs (docs) VALUES ('optimize')");
  db.exec('VACUUM');
  const query = db.prepare('SELECT rowid FROM docs WHERE docs MATCH ? ORDER BY rank LIMIT ?');
  return { size: statSync(file).size, ask: (words) => query.all(words.join(' OR '), LIMIT) };
}

/** Every side answers every query; people ask for frequent and rare words alike. */
async function ask({ rank, wordsOf }, files, db, count, queries) {
  const random = seeded(7);
  const draw = zipf(random);
  const lists = Array.from({ length: queries }, () => {
    const words = new Set();
    while (words.size < TERMS_A_QUERY) words.add(draw());
    return [...words];
  });
  const asked = (words, upto) => {
    const should = wordsOf(words.join(' ')).flatMap(({ terms }) => terms);
    return rank(files, { should, must: [], not: [], limit: LIMIT, ...(upto && { upto }) });
  };
  const wordsIn = (round) => lists[Math.max(0, round)];
  return interleaved(
    {
      head: (round) => void asked(wordsIn(round)),
      middle: (round) => void asked(wordsIn(round), count / 2),
      ...(db && { fts: (round) => void db.ask(wordsIn(round)) }),
    },
    queries,
  );
}

/** The same texts for each side. */
function textsOf() {
  const random = seeded(3);
  const draw = zipf(random);
  const lengthOf = () => Math.round(WORDS_A_DOCUMENT * (0.5 + random()));
  return () => Array.from({ length: lengthOf() }, draw).join(' ');
}

/** Words, the n-th most frequent of which comes with a probability as of 1 / n. */
function zipf(random) {
  const sums = new Float64Array(WORDS);
  let sum = 0;
  for (let n = 0; n < WORDS; n += 1) {
    sum += 1 / (n + 1);
    sums[n] = sum;
  }
  return () => {
    const sought = random() * sum;
    let low = 0;
    let high = WORDS - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (sums[middle] < sought) low = middle + 1;
      else high = middle;
    }
    return wordOf(low);
  };
}

const SYLLABLES = 'ba ce di fo gu la me ni po ru ta ve wi zo ka ne'.split(' ');

/** Words that no analysis changes: rare ones are longer, as in a language. */
function wordOf(n) {
  let word = '';
  for (let rest = n + 1; rest > 0; rest = Math.floor(rest / 16)) word += SYLLABLES[rest % 16];
  return `${word}k`;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await script('search-scale', () => scale({ quick: flags.quick }));
