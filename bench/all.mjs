// Every measurement, one process each so that none warms up another, and one table.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { text } from './lib/format.mjs';
import { flags, isFailed, machine } from './lib/report.mjs';
import { SCRIPTS } from './lib/scripts.mjs';

const about = machine();
const rows = [];
let failed = false;
for (const name of Object.keys(SCRIPTS)) {
  process.stderr.write(`${name}…\n`);
  const file = fileURLToPath(new URL(`${name}.mjs`, import.meta.url));
  const args = [
    file,
    '--json',
    ...['quick', 'save'].filter((flag) => flags[flag]).map((f) => `--${f}`),
  ];
  const { stdout } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
  });
  try {
    rows.push(...JSON.parse(stdout).rows);
  } catch {
    failed = true;
    process.stderr.write(`${name} gave no result\n`);
  }
}
const result = { ...about, quick: flags.quick, rows };
process.stdout.write(flags.json ? `${JSON.stringify(result, null, 2)}\n` : text(result));
if (flags.save) await import('./overview.mjs');
if (failed || rows.some(isFailed)) process.exitCode = 1;
