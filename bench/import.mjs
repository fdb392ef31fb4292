// What it takes to import one transcript of 0.9 MB into an empty journal, as a process of its own.
import { statSync } from 'node:fs';
import path from 'node:path';
import { installed } from './lib/installed.mjs';
import { fixtures } from './lib/program.mjs';
import { flags, ratioRow, script, valueRow } from './lib/report.mjs';
import { emptyNode, interleaved, run } from './lib/rounds.mjs';
import { scratch } from './lib/scratch.mjs';

const ROUNDS = flags.quick ? 5 : 20;
const TRANSCRIPT = path.join(fixtures, 'claude-v1.0.17-long-edit-session.jsonl');

await script('import', async () => {
  const { entry } = installed();
  const samples = await interleaved(
    {
      import: () => {
        const cwd = scratch();
        run(process.execPath, [entry, 'init'], { cwd });
        const start = performance.now();
        run(process.execPath, [entry, 'import', TRANSCRIPT], { cwd });
        return performance.now() - start;
      },
      empty: () => void emptyNode(''),
    },
    ROUNDS,
  );
  const about = `ben10 import, ${(statSync(TRANSCRIPT).size / 1e6).toFixed(1)} MB`;
  return [
    valueRow(about, samples.import, 'ms', 500, 1000),
    ratioRow(about, samples.import, samples.empty, 'node -e 0'),
  ];
});
