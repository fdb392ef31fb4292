import { peer } from '../lib/peers.mjs';

const WORDS = /[\p{L}\p{N}]+/gu;
/** English words that say nothing of what is looked for. */
const STOP_WORDS = new Set(
  `a about above after again all also am an and any are as at be because been before being below between both but by can
could did do does doing down during each few for from further had has have having he her here hers him his how i if in into is
it its itself just me more most my no nor not now of off on once only or other our out over own s same she should so some such
t than that the their them then there these they this those through to too under until up us very was we were what when where
which while who whom why will with would you your`.split(/\s+/),
);

const FTS5 = {
  'FTS5 porter, OR': { tokenize: 'porter unicode61' },
  'FTS5 porter, OR, without stop words': { tokenize: 'porter unicode61', isShort: true },
  'FTS5 unicode61, OR': { tokenize: 'unicode61' },
};
const MINISEARCH = 'MiniSearch as it comes';

/** What the goals are set against. */
export const PEER = 'FTS5 porter, OR';

/**
 * Other engines over the same texts, each one document.
 * @returns name → query → places in `texts`, best first
 */
export async function peersOf(texts) {
  const engines = {};
  const sqlite = await peer('better-sqlite3');
  for (const [name, form] of Object.entries(sqlite === undefined ? {} : FTS5))
    engines[name] = fts5(sqlite.default, texts, form);
  const mini = await peer('minisearch');
  if (mini !== undefined) engines[MINISEARCH] = miniSearch(mini.default, texts);
  return engines;
}

function fts5(Database, texts, { tokenize, isShort }) {
  const db = new Database(':memory:');
  db.exec(`CREATE VIRTUAL TABLE docs USING fts5(text, tokenize = '${tokenize}')`);
  const insert = db.prepare('INSERT INTO docs (rowid, text) VALUES (?, ?)');
  db.transaction(() => texts.forEach((text, at) => void insert.run(at + 1, text)))();
  const find = db.prepare('SELECT rowid FROM docs WHERE docs MATCH ? ORDER BY rank, rowid').pluck();
  return (query) => {
    const all = query.toLowerCase().match(WORDS) ?? [];
    const telling = all.filter((word) => !STOP_WORDS.has(word));
    const words = isShort && telling.length > 0 ? telling : all;
    if (words.length === 0) return [];
    return find.all(words.map((word) => `"${word}"`).join(' OR ')).map((row) => row - 1);
  };
}

function miniSearch(MiniSearch, texts) {
  const index = new MiniSearch({ fields: ['text'] });
  index.addAll(texts.map((text, id) => ({ id, text })));
  return (query) => index.search(query).map(({ id }) => id);
}
