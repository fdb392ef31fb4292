// Preloaded into a real program of ben10 (`node --require`): the calls of `node:fs` that change something below a folder
// are counted by their kinds (`call path-below-root`, with `#` for what is another one each time), and the process kills itself
// over one of them. BEN10_KILL: {"root", "place": {"kind", "nth", "when"}, "report"}; without a place it only counts. The
// report, written when the process ends then: the kinds of all calls, in their order.
'use strict';
const fs = require('node:fs');

const { root, place, report } = JSON.parse(process.env.BEN10_KILL);
const { writeFileSync } = fs;
const ON_FILES = ['writeSync', 'ftruncateSync', 'fsyncSync', 'fdatasyncSync'];
const ON_PATHS = ['renameSync', 'unlinkSync', 'rmSync', 'mkdirSync', 'linkSync', 'writeFileSync'];
const { O_WRONLY, O_RDWR } = fs.constants;

const calls = [];
let times = 0;
const paths = new Map();
const below = (path) =>
  String(path).startsWith(`${root}/`) ? path.slice(root.length + 1) : undefined;
const opensToWrite = (flags) =>
  typeof flags === 'number' ? (flags & (O_WRONLY | O_RDWR)) !== 0 : flags !== 'r';

/** Not by an exception, which code could catch. */
const die = () => process.kill(process.pid, 'SIGKILL');

function call(name, path, work, half) {
  if (path === undefined) return work();
  const kind = `${name} ${path.replace(/[0-9a-f]{6,}/g, '#')}`;
  calls.push(kind);
  if (place?.kind === kind) times += 1;
  const isIt = place?.kind === kind && place.nth === times;
  if (isIt && place.when !== 'after') {
    if (place.when === 'halfway') half();
    die();
  }
  try {
    return work();
  } finally {
    if (isIt) die();
  }
}

for (const name of ON_FILES) {
  const real = fs[name];
  fs[name] = (fd, ...args) => {
    const half = () => {
      const [bytes, offset = 0, length = bytes.byteLength - offset, position = null] = args;
      real(fd, bytes, offset, length >> 1, position);
    };
    return call(name, paths.get(fd), () => real(fd, ...args), half);
  };
}
for (const name of ON_PATHS) {
  const real = fs[name];
  fs[name] = (...args) =>
    call(name, below(args.at(name === 'renameSync' ? 1 : 0)), () => real(...args));
}
const { openSync } = fs;
fs.openSync = (path, flags, mode) => {
  const where = below(path);
  const open = () => openSync(path, flags, mode);
  const fd = opensToWrite(flags) ? call('openSync', where, open) : open();
  if (where === undefined) paths.delete(fd);
  else paths.set(fd, where);
  return fd;
};

if (place === null) {
  const tell = () => writeFileSync(report, JSON.stringify(calls));
  const { reallyExit } = process;
  // Hooks end by it, without the event.
  process.reallyExit = (code) => {
    tell();
    reallyExit.call(process, code);
  };
  process.on('exit', tell);
}
