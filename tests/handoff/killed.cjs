// Loaded before a hook: kills it right before its nth call that changes something, counted from the checkpoint's lock on.
const fs = require('node:fs');
const childProcess = require('node:child_process');

const at = Number(process.env.KILLED_AT);
let count = -1;
const CHANGES =
  'openSync writeSync renameSync linkSync mkdirSync rmSync unlinkSync copyFileSync utimesSync fsyncSync fdatasyncSync';

function watch(module, name) {
  const real = module[name];
  module[name] = (...args) => {
    if (String(args[0]).endsWith('take.lock')) count = 0;
    else if (count >= 0) count += 1;
    if (count === at) process.kill(process.pid, 'SIGKILL');
    return real(...args);
  };
}
for (const name of CHANGES.split(' ')) watch(fs, name);
watch(childProcess, 'spawnSync');
process.on('exit', () => undefined);
const exit = process.reallyExit;
process.reallyExit = (code) => {
  if (process.env.KILLED_COUNT) fs.appendFileSync(process.env.KILLED_COUNT, String(count));
  exit.call(process, code);
};
