import path from 'node:path';
import { peer } from './peers.mjs';

const BODY = 'abcdefghij '.repeat(93);
const BATCH = 1000;

/**
 * Fills a peer's store with events of a kilobyte, as the hooks of `peer-hooks/` write them.
 * @returns what such a hook is given; undefined where the peer cannot be loaded
 */
export async function filled(name, dir, events) {
  const loaded = await peer(name);
  return loaded && FILL[name](loaded, dir, bodies(events));
}

function* bodies(events) {
  for (let n = 0; n < events; n += BATCH) {
    const room = Math.min(BATCH, events - n);
    yield Array.from({ length: room }, (_, i) => [`before:toolu_${n + i}`, `${n + i} ${BODY}`]);
  }
}

const FILL = {
  'better-sqlite3': ({ default: Database }, dir, batches) => {
    const file = path.join(dir, 'events.db');
    const db = new Database(file);
    db.pragma('journal_mode = WAL');
    db.exec('CREATE TABLE events (seq INTEGER PRIMARY KEY, id TEXT UNIQUE, at INTEGER, body TEXT)');
    const insert = db.prepare('INSERT INTO events (id, at, body) VALUES (?, ?, ?)');
    const all = db.transaction((batch) => {
      for (const [id, body] of batch) insert.run(id, Date.now(), body);
    });
    for (const batch of batches) all(batch);
    db.close();
    return file;
  },
  'classic-level': async ({ ClassicLevel }, dir, batches) => {
    const db = new ClassicLevel(dir, { compression: false });
    for (const batch of batches)
      await db.batch(batch.map(([key, value]) => ({ type: 'put', key, value })));
    await db.close();
    return dir;
  },
  lmdb: async ({ open }, dir, batches) => {
    const db = open({ path: path.join(dir, 'events'), encoding: 'string' });
    for (const batch of batches)
      db.transactionSync(() => {
        for (const [id, body] of batch) db.putSync(id, body);
      });
    await db.close();
    return path.join(dir, 'events');
  },
};
