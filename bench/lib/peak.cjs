// Loaded into a program that is measured: leaves the most memory that it ever held, bytes, in the file that it is told.
// VmHWM and not `maxRSS`: on Linux that one begins with what the program had that started this one.
const { readFileSync, writeFileSync } = require('node:fs');

process.on('exit', () => {
  let bytes;
  try {
    bytes = Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) * 1024;
  } catch {
    bytes = process.resourceUsage().maxRSS * 1024;
  }
  writeFileSync(process.env.BENCH_PEAK_FILE, String(bytes));
});
