// Loaded before a hook: one of its calls fails as on a full or read-only disk, for files with a word in their path.
const fs = require('node:fs');

const [call, word, code] = process.env.FAILING.split(':');
const names = new Map();
const open = fs.openSync;
fs.openSync = (file, ...more) => {
  const fd = open(file, ...more);
  names.set(fd, String(file));
  return fd;
};
const real = fs[call];
fs[call] = (file, ...more) => {
  const name = typeof file === 'number' ? (names.get(file) ?? '') : String(file);
  // Settings are read.
  if (name.includes(word) && !name.includes('settings'))
    throw Object.assign(new Error(`${code}: as on a bad disk`), { code, path: name });
  return real(file, ...more);
};
