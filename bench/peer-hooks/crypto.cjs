// The least that a hook can do which proves what it wrote: load crypto, hash, append, sync (unless told otherwise).
const { createHash } = require('node:crypto');
const { closeSync, fdatasyncSync, openSync, readFileSync, writeSync } = require('node:fs');

const [, , file, durable] = process.argv;
const bytes = readFileSync(0);
const { session_id, tool_use_id } = JSON.parse(bytes);
const sum = createHash('sha256').update(bytes).digest();
const fd = openSync(file, 'a');
writeSync(fd, Buffer.concat([sum, Buffer.from(`${session_id}:${tool_use_id}`), bytes]));
if (durable === 'durable') fdatasyncSync(fd);
closeSync(fd);
// As ben10's hook and the other peers': nothing is left to tear down.
process.reallyExit(0);
