// A context of 10 MB stored so that it is on the disk, and read back: against the same as JSON and gzip at level 1. Zstd 19, into
// which saves are packed later, beside it. What it takes in memory is asked of processes of their own.
import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { FIXTURES } from './lib/grow.mjs';
import { loadProgram } from './lib/program.mjs';
import { seeded } from './lib/random.mjs';
import { flags, ratioRow, script, singleRow, valueRow } from './lib/report.mjs';
import { interleaved, run } from './lib/rounds.mjs';
import { scratch } from './lib/scratch.mjs';
import { median } from './lib/stats.mjs';

const PEAK = fileURLToPath(new URL('lib/peak.cjs', import.meta.url));
const BYTES = 10 * 1024 * 1024;
const ROUNDS = flags.quick ? 5 : 20;
const SEQ = 1;

/** A context whose messages are pieces of recorded sessions, until its JSON has 10 MB. */
function contextOf(program) {
  const random = seeded(3);
  const text = FIXTURES.map((file) => readFileSync(file, 'utf8')).join('');
  const state = program.context.initial();
  for (let bytes = 0; bytes < BYTES; ) {
    const start = Math.floor(random() * (text.length - 4000));
    const content = text.slice(start, start + 500 + Math.floor(random() * 2500));
    const n = state.conversation.messages.length;
    const message = {
      id: `message-${n}`,
      seq: n,
      role: n % 2 === 0 ? 'user' : 'assistant',
      content,
      timestamp: 1_767_571_200_000 + n * 1000,
      tokenCount: 700,
      metadata: {
        toolCalls: [`toolu_${n}`],
        fileReferences: [`src/part-${n % 90}.ts`],
        taskReferences: [],
      },
      pos: n * 1000,
    };
    state.conversation.messages.push(message);
    bytes += JSON.stringify(message).length;
  }
  state.conversation.messageCount = state.conversation.messages.length;
  return state;
}

function workOf(program, dir) {
  const { openProject, lock, context, writeStored, loadStored, SAVES_DIR } = program;
  const project = openProject(dir, { lockBudgetMs: 5000, lock, hash: program.hash });
  const { recorder } = project;
  const said = { type: 'prompt.submitted', session: 's', agent: null, at: 0, fact: 'p' };
  recorder.append([recorder.event({ ...said, data: { text: 'Hello' } }, 'hook')]);
  const about = { point: { seq: SEQ, at: 0 }, projection: 'context', version: context.version };
  const code = 'CONTEXT_CORRUPTED';
  const of = { folder: SAVES_DIR, session: 's', upto: SEQ, name: 'bench', code };
  return {
    project,
    save: (state) => writeStored(project, SAVES_DIR, { ...about, session: 's', state }).file,
    restore: (file) => loadStored(project, { ...of, file }).state,
  };
}

const peerOf = (dir) => {
  const file = path.join(dir, 'state.json.gz');
  const sync = (name, bytes) => {
    const fd = openSync(name, bytes === undefined ? 'r' : 'w');
    if (bytes !== undefined) writeSync(fd, bytes);
    fsyncSync(fd);
    closeSync(fd);
  };
  return {
    save(state) {
      sync(`${file}.tmp`, gzipSync(JSON.stringify(state), { level: 1 }));
      renameSync(`${file}.tmp`, file);
      sync(dir);
      return file;
    },
    restore: (name) => JSON.parse(gunzipSync(readFileSync(name)).toString()),
  };
};

/** The highest memory, bytes, of a process of its own that does one thing. */
function memoryOf(what, dir = '', file = '') {
  const self = fileURLToPath(import.meta.url);
  const peak = path.join(scratch(), 'peak');
  const asked = JSON.stringify({ what, dir, file });
  run(process.execPath, ['-r', PEAK, self], {
    env: { BEN10_BENCH_MEMORY: asked, BENCH_PEAK_FILE: peak },
  });
  return Number(readFileSync(peak, 'utf8'));
}

async function loaded() {
  const program = await loadProgram();
  return { ...program, hash: await program.loadXxh64() };
}

async function memoryRun({ what, dir, file }) {
  const program = await loaded();
  const { save, restore } = what.startsWith('peer')
    ? peerOf(dir || scratch())
    : workOf(program, dir || scratch());
  const state = what.endsWith('restore') || what === 'nothing' ? undefined : contextOf(program);
  if (what.endsWith('save')) save(state);
  if (what.endsWith('restore') && restore(file).conversation === undefined) throw new Error('lost');
}

if (process.env.BEN10_BENCH_MEMORY) await memoryRun(JSON.parse(process.env.BEN10_BENCH_MEMORY));
else
  await script('save', async () => {
    const program = await loaded();
    const dir = scratch();
    const state = contextOf(program);
    const [ours, peer] = [workOf(program, dir), peerOf(dir)];
    const files = { ours: '', peer: '' };
    const keep = (name, file) => {
      if (name === 'ours' && files.ours !== '') rmSync(path.join(ours.project.root, files.ours));
      files[name] = file;
    };
    const both =
      ({ save, restore }, name) =>
      () => {
        keep(name, save(state));
        if (restore(files[name]).conversation.messageCount === 0) throw new Error('lost');
      };
    keep('ours', ours.save(state));
    const samples = await interleaved(
      {
        ours: both(ours, 'ours'),
        peer: both(peer, 'peer'),
        save: () => keep('ours', ours.save(state)),
        restore: () => void ours.restore(files.ours),
      },
      ROUNDS,
    );
    const of = (...args) => median([1, 2, 3].map(() => memoryOf(...args)));
    const [nothing, had] = [of('nothing'), of('state')];
    const times = (bytes) => bytes / BYTES;
    const memory = {
      save: times(of('save') - had),
      restore: times(of('restore', dir, files.ours) - nothing),
      peerSave: times(of('peer save') - had),
      peerRestore: times(of('peer restore', dir, files.peer) - nothing),
    };
    const stored = path.join(ours.project.root, files.ours);
    const lz4Bytes = statSync(stored).size;
    const start = performance.now();
    const zstd = await program.loadZstd();
    program.archiveStored(ours.project, zstd, 19);
    const packing = performance.now() - start;
    const unpacking = performance.now();
    ours.restore(files.ours);
    const unpacked = performance.now() - unpacking;
    const mib = 2 ** 20;
    return [
      ratioRow(
        'save and restore of a 10 MB context',
        samples.ours,
        samples.peer,
        'JSON, gzip 1',
        1.1,
      ),
      valueRow('save', samples.save, 'ms'),
      valueRow('restore', samples.restore, 'ms'),
      singleRow('memory of a save / the context', memory.save, '×', 3),
      singleRow('memory of a restore, with what it gives / the context', memory.restore, '×', 3),
      singleRow('memory of a save as JSON and gzip 1', memory.peerSave, '×'),
      singleRow('memory of a restore from that', memory.peerRestore, '×'),
      singleRow('on disk, LZ4', lz4Bytes / mib, 'MiB'),
      singleRow('on disk, gzip 1', statSync(files.peer).size / mib, 'MiB'),
      singleRow('on disk, Zstd 19', statSync(stored).size / mib, 'MiB'),
      singleRow('packing one by Zstd 19', packing, 'ms'),
      singleRow('restore from Zstd 19', unpacked, 'ms'),
    ];
  });
