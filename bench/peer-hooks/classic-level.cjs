// A hook that stores its input in LevelDB. Only one process at a time can have it open.
const { readFileSync } = require('node:fs');
const { ClassicLevel } = require('classic-level');

const [, , file, durable] = process.argv;
const body = readFileSync(0, 'utf8');
const { session_id, tool_use_id } = JSON.parse(body);
const db = new ClassicLevel(file, { compression: false });
db.put(`${session_id}:${tool_use_id}`, body, { sync: durable === 'durable' }).then(
  () => process.reallyExit(0),
  (error) => {
    process.stderr.write(`${error.stack}\n`);
    process.reallyExit(1);
  },
);
