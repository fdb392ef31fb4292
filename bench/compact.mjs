// What a project takes on the disk once it is compacted, against the same transcripts each packed with gzip -6, as somebody
// keeps them who wants no more; and what a compaction gives back.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { bytesIn, filesIn } from './lib/files.mjs';
import { installed } from './lib/installed.mjs';
import { atLeastRow, flags, script, singleRow } from './lib/report.mjs';
import { run } from './lib/rounds.mjs';
import { scratch } from './lib/scratch.mjs';
import { transcripts } from './lib/transcripts.mjs';

const BYTES = flags.quick ? 6e6 : 5.5e7;
/** A state is asked for at so many points, each of which leaves a keyframe. */
const POINTS = flags.quick ? 5 : 20;

await script('compact', () => {
  const { entry } = installed();
  const dir = scratch();
  const folder = path.join(dir, 'transcripts');
  mkdirSync(folder);
  let plain = 0;
  let packed = 0;
  let number = 0;
  for (const text of transcripts(9)) {
    number += 1;
    const name = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}.jsonl`;
    writeFileSync(path.join(folder, name), text);
    plain += Buffer.byteLength(text);
    packed += gzipSync(text, { level: 6 }).length;
    if (plain >= BYTES) break;
  }
  run(process.execPath, [entry, 'init'], { cwd: dir });
  run(process.execPath, [entry, 'import', '--here', folder], { cwd: dir });
  const status = () => JSON.parse(run(process.execPath, [entry, 'status', '--json'], { cwd: dir }));
  const { lastSeq } = status().journal;
  for (let n = 1; n <= POINTS; n += 1) {
    const point = `@${Math.floor((lastSeq * n) / (POINTS + 1))}`;
    run(process.execPath, [entry, 'replay', point], { cwd: dir });
  }
  const taken = () => {
    const files = filesIn(path.join(dir, '.ben10'));
    const states = files.filter((file) => file.includes(`${path.sep}checkpoints${path.sep}`));
    return { all: bytesIn(files), states: bytesIn(states), events: status().journal.events };
  };
  const before = taken();
  run(process.execPath, [entry, 'compact'], { cwd: dir });
  const after = taken();
  const mb = (bytes) => bytes / 1e6;
  const peer = `gzip -6: ${mb(packed).toFixed(1)} MB of ${mb(plain).toFixed(0)} MB`;
  const against = (figure, bytes) => ({
    ...singleRow(figure, bytes / packed, 'times', 0.8),
    peer: `${peer}; ours ${mb(bytes).toFixed(1)} MB`,
  });
  return [
    against('.ben10 after compact, without keyframes', after.all - after.states),
    against('.ben10 after compact, with keyframes', after.all),
    singleRow('disk per event, active', (before.all - before.states) / before.events, 'bytes'),
    singleRow('disk per event, archived', (after.all - after.states) / after.events, 'bytes'),
    atLeastRow('compact gives back', (100 * (before.all - after.all)) / before.all, '%'),
  ];
});
