// A hook that stores its input in SQLite: one row, its id unique.
const { readFileSync } = require('node:fs');
const Database = require('better-sqlite3');

const [, , file, durable] = process.argv;
const body = readFileSync(0, 'utf8');
const { session_id, tool_use_id } = JSON.parse(body);
const db = new Database(file, { nativeBinding: SQLITE_BINDING });
db.pragma('journal_mode = WAL');
db.pragma(`synchronous = ${durable === 'durable' ? 'FULL' : 'NORMAL'}`);
db.exec(
  'CREATE TABLE IF NOT EXISTS events (seq INTEGER PRIMARY KEY, id TEXT UNIQUE, at INTEGER, body TEXT)',
);
const insert = db.prepare('INSERT OR IGNORE INTO events (id, at, body) VALUES (?, ?, ?)');
insert.run(`${session_id}:${tool_use_id}`, Date.now(), body);
// Not closed: the last to close a database copies its log into it. Every row is in the log by now.
process.reallyExit(0);
