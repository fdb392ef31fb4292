// Makes the calls of `node:fs` fail that a hook makes. Preloaded into a real hook process (`node --require`) it does what
// BEN10_FAULT says: {"fault", "call", "how", "report"}; call 0 only counts. The report, written when the process ends: the
// names of the calls that the fault is about, in their order, and how many failed. Loaded into a process that runs hook after hook,
// it does nothing but between `begin` with such a plan and `end`, which gives that report.
'use strict';
const fs = require('node:fs');

const { writeFileSync } = fs;
let plan;
let calls = [];
let failed = 0;
/** What Node does to load the program itself is Node's; the first thing that the program opens is its bundle. */
let hasBegun = false;

const WRITES = new Set(['writeSync', 'ftruncateSync', 'renameSync', 'unlinkSync', 'mkdirSync']);
const SYNCS = new Set(['fsyncSync', 'fdatasyncSync']);
const READS = new Set(['readSync', 'readFileSync']);
const LOOKS = new Set(['readdirSync', 'lstatSync', 'statSync', 'existsSync', 'realpathSync']);
const CALLS = [...WRITES, ...SYNCS, ...READS, ...LOOKS, 'openSync', 'fstatSync'];
const { O_WRONLY, O_RDWR } = fs.constants;

const opensToWrite = (flags) =>
  typeof flags === 'number' ? (flags & (O_WRONLY | O_RDWR)) !== 0 : flags !== 'r';

/** Whether such a call can meet such a fault. Pipes are on no disk. */
function concerns(name, args) {
  const writes = WRITES.has(name) || (name === 'openSync' && opensToWrite(args[1]));
  const isPipe = typeof args[0] === 'number' && args[0] <= 2;
  const { fault } = plan;
  if (fault === 'short write') return name === 'writeSync';
  if (fault === 'short read') return name === 'readSync';
  if (fault === 'EIO') return true;
  if (isPipe) return false;
  if (fault === 'EIO of syncs') return SYNCS.has(name);
  if (fault === 'EIO of reads') return READS.has(name);
  if (fault === 'EMFILE') return ['openSync', 'readdirSync', 'readFileSync'].includes(name);
  if (fault === 'EROFS') return writes;
  if (fault === 'EACCES') return writes || LOOKS.has(name) || name === 'openSync';
  return SYNCS.has(name) || (writes && name !== 'unlinkSync' && name !== 'ftruncateSync');
}

/** Half of what was asked for; one byte is done whole, as the system would. */
function half(real, [fd, bytes, ...rest]) {
  if (typeof bytes === 'string') return real(fd, bytes, ...rest);
  const [offset = 0, length = bytes.byteLength - offset, position = null] = rest;
  return real(fd, bytes, offset, Math.max(1, length >> 1), position);
}

function met(name, real, args) {
  hasBegun ||= name === 'openSync' && /hook\.cjs$/.test(args[0]);
  if (!hasBegun || !concerns(name, args)) return real(...args);
  const { fault, call: failing, how } = plan;
  calls.push(name);
  const isLater = how !== 'once' && calls.length > failing;
  if (failing === 0 || (calls.length !== failing && !isLater)) return real(...args);
  failed += 1;
  if (fault.startsWith('short')) return half(real, args);
  if (name === 'existsSync') return false; // how it tells
  const [code] = fault.split(' ');
  const error = new Error(`${code}: injected into ${name}`);
  throw Object.assign(error, { code, syscall: name.replace(/Sync$/, '') });
}

const reals = new Map();

exports.begin = (next) => {
  plan = next;
  calls = [];
  failed = 0;
  hasBegun = false;
  for (const name of CALLS) {
    const real = fs[name];
    reals.set(name, real);
    fs[name] = (...args) => met(name, real, args);
  }
};

exports.end = () => {
  for (const [name, real] of reals) fs[name] = real;
  return { calls, failed };
};

if (process.env.BEN10_FAULT !== undefined) {
  const given = JSON.parse(process.env.BEN10_FAULT);
  exports.begin(given);
  const tell = () => writeFileSync(given.report, JSON.stringify({ calls, failed }));
  const { reallyExit } = process;
  process.reallyExit = (code) => {
    tell();
    reallyExit.call(process, code);
  };
  process.on('exit', tell);
}
