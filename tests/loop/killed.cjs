// Loaded before a loop: at its nth change, counted from the worktree's lock on, and some time later, it kills the loop, its client or both.
const fs = require('node:fs');
const childProcess = require('node:child_process');

const { KILLED_AT, KILLED_AFTER_MS, KILLED, KILLED_COUNT } = process.env;
const CHANGES =
  'openSync writeSync renameSync linkSync mkdirSync rmSync unlinkSync copyFileSync fsyncSync fdatasyncSync writeFileSync';
let count = -1;
let client;

function kill() {
  if (client !== undefined && KILLED !== 'loop') {
    try {
      process.kill(-client, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
  if (KILLED !== 'client') process.kill(process.pid, 'SIGKILL');
}

function watch(module, name) {
  const real = module[name];
  module[name] = (...args) => {
    if (/loop-[0-9a-f]{16}\.lock$/.test(String(args[0]))) count = 0;
    else if (count >= 0) count += 1;
    if (count === Number(KILLED_AT)) {
      count += 1;
      if (KILLED_AFTER_MS === '0') kill();
      else setTimeout(kill, Number(KILLED_AFTER_MS));
    }
    const made = real(...args);
    // Behind its gate.
    if (name === 'spawn' && args[2]?.detached === true && args[2].stdio.length === 4)
      client = made.pid;
    return made;
  };
}
for (const name of CHANGES.split(' ')) watch(fs, name);
for (const name of ['spawn', 'spawnSync']) watch(childProcess, name);
if (KILLED_COUNT) process.on('exit', () => fs.writeFileSync(KILLED_COUNT, String(count)));
