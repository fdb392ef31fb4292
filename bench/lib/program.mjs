import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '');
export const fixtures = path.join(root, 'tests', 'fixtures', 'transcripts');
const require = createRequire(import.meta.url);

/** Where generated data is kept from one run to the next; may be removed at any time. */
export const cache = path.join(tmpdir(), 'ben10-bench');

/** What the scripts use of the program's inside. Bundled like the program itself: measured is what users run. */
const PARTS = `
  export { observeHook } from './src/capture/claude/hooks.ts';
  export { importTranscripts } from './src/capture/import.ts';
  export { encodeEvent } from './src/events/encode.ts';
  export { encodeEnvelope, typeTag } from './src/journal/format/envelope.ts';
  export { GroupCommit } from './src/journal/append/group-commit.ts';
  export { oneRoom } from './src/journal/read/room.ts';
  export { integrityCacheOf } from './src/journal/read/integrity-cache.ts';
  export { verifyJournal } from './src/journal/verify/verify.ts';
  export { JournalWriter } from './src/journal/append/writer.ts';
  export { queryLog } from './src/log/query.ts';
  export { loadFileLock } from './src/platform/lock.ts';
  export { xxh64 } from './src/platform/xxh64.ts';
  export { loadXxh64 } from './src/platform/xxh64-wasm.ts';
  export { openProject } from './src/project/open.ts';
  export { readEvents } from './src/projections/events.ts';
  export { context } from './src/projections/folds/context.ts';
  export { sessions } from './src/projections/folds/sessions.ts';
  export { States } from './src/projections/states.ts';
  export { wordsOf } from './src/search/analyze.ts';
  export { indexOf } from './src/search/keep-up.ts';
  export { mergeIndexes } from './src/search/index-merge.ts';
  export { openIndex } from './src/search/index-read.ts';
  export { IndexBuilder } from './src/search/index-build.ts';
  export { rank } from './src/search/rank.ts';
  export { documentOf } from './src/handoff/document.ts';
  export { verifyHandoff } from './src/handoff/verify.ts';
  export { handoffs, handoffsOf } from './src/projections/folds/handoffs.ts';
  export { evidence } from './src/projections/folds/evidence.ts';
  export { replay } from './src/timetravel/replay.ts';
  export { archiveStored } from './src/timetravel/snapshots/archive.ts';
  export { SAVES_DIR, writeStored } from './src/timetravel/stored-files.ts';
  export { loadStored } from './src/timetravel/stored-state.ts';
  export { loadZstd } from './src/platform/codecs/zstd-write.ts';
`;

/** @param more exports of a script's own */
export async function loadProgram(more = '') {
  const { outputFiles } = await build({
    stdin: { contents: PARTS + more, resolveDir: root, loader: 'ts' },
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'cjs',
    mainFields: ['module', 'main'],
    define: { BEN10_VERSION: '"bench"' },
    write: false,
    logLevel: 'warning',
  });
  const [{ contents }] = outputFiles;
  const file = path.join(cache, `program-${digest([contents])}.cjs`);
  mkdirSync(cache, { recursive: true });
  if (!existsSync(file)) writeFileSync(file, contents);
  // Beside the program, where it looks for it.
  const zstd = path.dirname(require.resolve('@bokuweb/zstd-wasm'));
  copyFileSync(path.join(zstd, 'zstd.wasm'), path.join(cache, 'zstd.wasm'));
  const program = require(file);
  const addons = path.join(
    path.dirname(require.resolve('fs-native-extensions/package.json')),
    'prebuilds',
  );
  return { ...program, lock: program.loadFileLock(addons) };
}

/** Names what something was made from. */
export const digest = (parts) =>
  parts
    .reduce((hash, part) => hash.update(part), createHash('sha256'))
    .digest('hex')
    .slice(0, 12);

export const digestOfFiles = (files) => digest(files.map((file) => readFileSync(file)));
