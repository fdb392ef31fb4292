// What looking for secrets costs: in a fresh process, as a hook has it (4 KB without a secret; 64 KiB), and in a warm one.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { postToolUse } from './lib/payload.mjs';
import { root } from './lib/program.mjs';
import { flags, script, singleRow, valueRow } from './lib/report.mjs';
import { scratch } from './lib/scratch.mjs';

const ROUNDS = flags.quick ? 10 : 30;

/** Runs in a process of its own: the bundle from V8's code cache, then one value. Prints milliseconds. */
const FRESH = `
const { Script } = require('node:vm');
const fs = require('node:fs');
const [, , file, input] = process.argv;
const cache = file + '.cache';
const cachedData = fs.existsSync(cache) ? fs.readFileSync(cache) : undefined;
const value = JSON.parse(fs.readFileSync(input, 'utf8'));
const script = new Script(fs.readFileSync(file, 'utf8'), { filename: file, ...(cachedData && { cachedData }) });
const started = performance.now();
const bundle = { exports: {} };
script.runInThisContext()(bundle.exports, require, bundle, __dirname);
const { options } = bundle.exports.compileRedaction();
const result = bundle.exports.redactValue(value, options);
const ms = performance.now() - started;
if (cachedData === undefined) fs.writeFileSync(cache, script.createCachedData());
if (result.value !== value) throw new Error('something was found');
console.log(ms);
`;

const rulesApart = {
  name: 'rules-apart',
  setup(building) {
    building.onResolve({ filter: /\/rules-here\.ts$/ }, ({ resolveDir }) => ({
      path: path.join(resolveDir, 'rules-apart.ts'),
    }));
  },
};

const bundled = (outfile, more) =>
  build({
    stdin: {
      contents:
        "export { compileRedaction, redactText, redactValue } from './src/capture/redaction/index.ts';",
      resolveDir: root,
      loader: 'ts',
    },
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node20.19',
    external: ['./hook-secrets.cjs'],
    outfile,
    ...more,
  });

/** Sources that are there, in files as an agent reads them, of so many characters together. */
function ordinary(chars) {
  const texts = [];
  let sum = 0;
  for (const name of readdirSync(path.join(root, 'node_modules'), { recursive: true }).sort()) {
    const file = path.join(root, 'node_modules', name);
    if (!/\.(?:[cm]?[jt]s|json|md)$/.test(name) || !statSync(file).isFile()) continue;
    if (statSync(file).size > 256 * 1024) continue;
    texts.push(readFileSync(file, 'utf8'));
    sum += texts.at(-1).length;
    if (sum >= chars) break;
  }
  return texts;
}

await script('redaction', async () => {
  const dir = scratch();
  const hook = path.join(dir, 'hook.cjs');
  await bundled(hook, {
    format: 'cjs',
    banner: { js: '(function(exports,require,module,__dirname){' },
    footer: { js: '})' },
    plugins: [rulesApart],
  });
  const runner = path.join(dir, 'fresh.cjs');
  writeFileSync(runner, FRESH);
  const { NODE_EXTRA_CA_CERTS: _certs, NODE_OPTIONS: _options, ...env } = process.env;
  const fresh = (value) => {
    const input = path.join(dir, 'input.json');
    writeFileSync(input, JSON.stringify(value));
    const samples = [];
    for (let round = -1; round < ROUNDS; round += 1) {
      const { stdout, stderr, status } = spawnSync(process.execPath, [runner, hook, input], {
        env,
        encoding: 'utf8',
      });
      if (status !== 0 || !existsSync(`${hook}.cache`)) throw new Error(stderr);
      if (round >= 0) samples.push(Number(stdout));
    }
    return samples;
  };
  const payload = postToolUse('8d0ee8bb-5a1c-4c4e-9e52-0e1df6bb45c5', 'toolu_bench00000001', dir);
  const large = { text: payload.tool_response.stdout.repeat(32).slice(0, 64 * 1024) };
  const rows = [
    valueRow('a hook of 4 KB without a secret', fresh(payload), 'ms'),
    valueRow('a hook of 64 KiB without a secret', fresh(large), 'ms', 2),
  ];

  const warm = path.join(dir, 'warm.mjs');
  await bundled(warm, { format: 'esm' });
  const { compileRedaction, redactText } = await import(warm);
  const { options } = compileRedaction();
  const texts = ordinary(flags.quick ? 4e6 : 2e7);
  const megabytes = texts.reduce((sum, { length }) => sum + length, 0) / 1e6;
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 4; round += 1) {
    const started = performance.now();
    for (const text of texts) redactText(text, options);
    best = Math.min(best, performance.now() - started);
  }
  rows.push(
    singleRow(
      `ordinary sources, warm, 1 MB (${megabytes.toFixed(0)} MB)`,
      best / megabytes,
      'ms',
      20,
    ),
  );
  return rows;
});
