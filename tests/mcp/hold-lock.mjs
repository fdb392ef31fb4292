// Holds the lock of a journal until stdin ends: node hold-lock.mjs ADDONS LOCK-FILE
import { openSync } from 'node:fs';
import { constants } from 'node:os';

const [, , addons, file] = process.argv;
const target = { exports: {} };
const addon = `${addons}/${process.platform}-${process.arch}/fs-native-extensions.node`;
process.dlopen(target, addon, constants.dlopen?.RTLD_NOW ?? 1);
const fd = openSync(file, 'a+');
// The server may have it this moment: it syncs what it wrote a little later.
for (let held = false; !held; ) {
  try {
    target.exports.tryLock(fd, 0, 0, true);
    held = true;
  } catch {
    // Again.
  }
}
process.stdout.write('held\n');
process.stdin.resume().on('end', () => process.exit(0));
