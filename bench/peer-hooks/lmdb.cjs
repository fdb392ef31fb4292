// A hook that stores its input in LMDB.
const { readFileSync } = require('node:fs');
const { open } = require('lmdb');

const [, , file, durable] = process.argv;
const body = readFileSync(0, 'utf8');
const { session_id, tool_use_id } = JSON.parse(body);
// Without overlapping a commit is on the disk when it returns.
const db = open({
  path: file,
  encoding: 'string',
  noSync: durable !== 'durable',
  overlappingSync: false,
});
db.putSync(`${session_id}:${tool_use_id}`, body);
process.reallyExit(0);
