import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const made = [];
process.on('exit', () => {
  for (const dir of made) rmSync(dir, { recursive: true, force: true });
});

/** A folder that is gone when the process ends; on the disk of the cache, so that a rename is enough to keep it. */
export function scratch() {
  const dir = mkdtempSync(path.join(tmpdir(), 'ben10-bench-work-'));
  made.push(dir);
  return dir;
}
