import { closeSync, fdatasyncSync, fsyncSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import { peer } from './peers.mjs';
import { scratch } from './scratch.mjs';

/** What is written over again and again: as much as SQLite's log grows to by itself, and more. */
const OVER_BYTES = 8 * 1024 * 1024;

/**
 * What a user would write instead of the journal. Each takes a list of events and returns, at once or as a promise,
 * when all of them are stored; `synced` means on the disk.
 * `undefined` stands for a package that cannot be loaded.
 */
export const PEERS = {
  /** The physical limit: one write of the bytes and one sync, nothing found, checked or encoded. */
  raw: (synced) => {
    const fd = openSync(path.join(scratch(), 'raw'), 'a');
    return (events) => {
      const bytes = events.map(({ text }) => text).join('');
      writeSync(fd, bytes);
      if (synced) fdatasyncSync(fd);
    };
  },

  /** The same into room that the file had before, as a database's log has: its size stays, and a sync is of the bytes alone. */
  over: (synced) => {
    const fd = openSync(path.join(scratch(), 'over'), 'w');
    writeSync(fd, Buffer.alloc(OVER_BYTES));
    fsyncSync(fd);
    let at = 0;
    return (events) => {
      const bytes = events.map(({ text }) => text).join('');
      if (at + bytes.length > OVER_BYTES) at = 0;
      at += writeSync(fd, bytes, at);
      if (synced) fdatasyncSync(fd);
    };
  },

  lines: (synced) => {
    const file = path.join(scratch(), 'events.jsonl');
    return (events) => {
      const fd = openSync(file, 'a');
      writeSync(fd, events.map((one) => `${JSON.stringify(one)}\n`).join(''));
      if (synced) fdatasyncSync(fd);
      closeSync(fd);
    };
  },

  'better-sqlite3': async (synced) => {
    const Database = (await peer('better-sqlite3'))?.default;
    if (Database === undefined) return undefined;
    const db = new Database(path.join(scratch(), 'events.db'));
    db.pragma('journal_mode = WAL');
    db.pragma(`synchronous = ${synced ? 'FULL' : 'NORMAL'}`);
    db.exec('CREATE TABLE events (seq INTEGER PRIMARY KEY, id TEXT UNIQUE, at INTEGER, body TEXT)');
    const insert = db.prepare('INSERT OR IGNORE INTO events (id, at, body) VALUES (?, ?, ?)');
    return db.transaction((events) => {
      for (const one of events) insert.run(one.id, one.at, JSON.stringify(one));
    });
  },

  lmdb: async (synced) => {
    const lmdb = await peer('lmdb');
    if (lmdb === undefined) return undefined;
    const dir = path.join(scratch(), 'events');
    // Without overlapping a commit is on the disk when it returns.
    const db = lmdb.open({ path: dir, noSync: !synced, overlappingSync: false });
    return (events) => {
      db.transactionSync(() => {
        for (const one of events) db.putSync(one.id, one);
      });
    };
  },

  'classic-level': async (synced) => {
    const level = await peer('classic-level');
    if (level === undefined) return undefined;
    const options = { valueEncoding: 'json', compression: false };
    const db = new level.ClassicLevel(path.join(scratch(), 'events'), options);
    await db.open();
    return (events) =>
      db.batch(
        events.map((value) => ({ type: 'put', key: value.id, value })),
        { sync: synced },
      );
  },

  'event-storage': async (synced) => {
    const storage = await peer('event-storage');
    if (storage === undefined) return undefined;
    const store = new storage.EventStore('events', {
      storageDirectory: scratch(),
      storageConfig: synced ? { syncOnFlush: true, maxWriteBufferDocuments: 1 } : {},
    });
    await new Promise((resolve) => store.once('ready', resolve));
    return (events) => new Promise((resolve) => store.commit('events', events, resolve));
  },

  /** It never syncs, so it is beside what is not synced either. */
  hypercore: async () => {
    const Hypercore = (await peer('hypercore'))?.default;
    if (Hypercore === undefined) return undefined;
    const core = new Hypercore(path.join(scratch(), 'core'), { valueEncoding: 'json' });
    await core.ready();
    return (events) => core.append(events);
  },
};
