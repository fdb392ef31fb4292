// What looking for secrets costs: in a fresh process, as a hook has it (4 KB, and 64 KiB of different texts), and in a warm
// one, beside secretlint's recommended rules over the same texts.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { lintSource } from '@secretlint/core';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';
import { build } from 'esbuild';
import { keywordsMade } from '../tools/constants-made.mjs';
import { rulesApart } from '../tools/rules-apart.mjs';
import { postToolUse } from './lib/payload.mjs';
import { root } from './lib/program.mjs';
import { flags, script, singleRow, valueRow } from './lib/report.mjs';
import { scratch } from './lib/scratch.mjs';

const ROUNDS = flags.quick ? 10 : 30;
/** Pieces of what packages bring, and in how many processes each is searched: the quickest counts. */
const PIECES = flags.quick ? 8 : 40;
const PIECE_ROUNDS = 5;

/** Runs in a process of its own: the bundles from V8's code cache, then one value. Prints milliseconds, by the clock and of the processor, and how many were found. */
const FRESH = `
const fs = require('node:fs');
const { loadBundle } = require('./code-cache.cjs');
const value = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'));
// As the launcher does it.
let rules;
const ask = (id) => {
  if (id !== './redaction.cjs') return require(id);
  rules ??= loadBundle('redaction', ask);
  return rules.exports;
};
const started = performance.now();
const { exports: bundle, keep } = loadBundle('hook', ask);
const { options } = bundle.compileRedaction();
const loaded = performance.now();
// Every hook digests what it writes in WebAssembly: whichever module comes first makes V8 ready for them, redaction or not.
bundle.xxh64(Buffer.alloc(300), 1n);
// Asked for first: V8 has to compile it.
const before = process.cpuUsage();
const searching = performance.now();
const result = bundle.redactValue(value, options);
const ended = performance.now();
const { user, system } = process.cpuUsage(before);
rules?.keep();
keep(rules === undefined ? 0 : 1);
const found = Object.values(result.counts).reduce((sum, times) => sum + times, 0);
console.log(JSON.stringify({ all: loaded - started + ended - searching, search: ended - searching, cpu: (user + system) / 1000, found }));
`;

const bundled = (outfile, more) =>
  build({
    stdin: {
      contents:
        "export { compileRedaction, redactText, redactValue } from './src/capture/redaction/index.ts'; export { xxh64 } from './src/platform/xxh64.ts';",
      resolveDir: root,
      loader: 'ts',
    },
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node20.19',
    external: ['./redaction.cjs'],
    outfile,
    ...more,
  });

const sources = (dir, names) =>
  readdirSync(path.join(root, dir), { recursive: true, encoding: 'utf8' })
    .sort()
    .filter((name) => names.test(name))
    .map((name) => path.join(root, dir, name))
    .filter((file) => statSync(file).isFile() && statSync(file).size <= 256 * 1024);

/** Sources that are there, in files as an agent reads them, of so many characters together. */
function ordinary(chars) {
  const texts = [];
  let sum = 0;
  for (const file of sources('node_modules', /^(?!\.).*\.(?:[cm]?[jt]s|json|md)$/)) {
    texts.push(readFileSync(file, 'utf8'));
    sum += texts.at(-1).length;
    if (sum >= chars) break;
  }
  return texts;
}

/** V8 compiles, in threads of its own, until some 40 MB were searched: only then is a process warm. */
const WARM_ROUNDS = flags.quick ? 16 : 4;

const LARGE_CHARS = 64 * 1024;
const SMALL_CHARS = 4 * 1024;
const code = () =>
  sources('src/journal', /\.ts$/)
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
    .slice(0, LARGE_CHARS);
/** Files for readers, as an agent reads them before it uses a package. */
const prose = () =>
  sources('node_modules', /(?:^|\/)readme\.md$/i)
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
    .slice(0, LARGE_CHARS);
/** Pieces of what packages bring, at most so many, from all over those of ben10 and of its benches. */
function piecesOf(names, count) {
  const all = ['node_modules', 'bench/node_modules']
    .filter((dir) => existsSync(path.join(root, dir)))
    .flatMap((dir) => sources(dir, names))
    .map((file) => ({
      file,
      order: createHash('md5').update(path.relative(root, file)).digest('hex'),
    }))
    .sort((a, b) => (a.order < b.order ? -1 : 1));
  const pieces = [];
  let text = '';
  while (pieces.length < count && all.length > 0) {
    text += `${readFileSync(all.pop().file, 'utf8')}\n`;
    for (; text.length >= LARGE_CHARS && pieces.length < count; text = text.slice(LARGE_CHARS))
      pieces.push(text.slice(0, LARGE_CHARS));
  }
  return pieces;
}
const json = () =>
  JSON.stringify(
    JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')),
    null,
    1,
  ).slice(0, LARGE_CHARS);

/** What a server writes: times, levels, addresses, identifiers. */
const log = () => {
  const line = (index) => {
    const hash = createHash('md5').update(`${index}`).digest('hex');
    const time = `2026-11-22T01:${10 + (index % 50)}:${10 + (index % 47)}.${100 + (index % 900)}Z`;
    return [
      `${time} INFO  [worker-${index % 8}] GET /api/v1/users/${index * 7}/orders?limit=20&offset=${index} 200 ${index % 300}ms request=${hash}`,
      `${time} WARN  [pool] connection after ${index % 90} ms size=20 waiting=${index % 7} https://db.internal/health`,
      `${time} DEBUG [auth] token refreshed for user ${index} expires in 3600 s`,
    ][index % 3];
  };
  return Array.from({ length: 900 }, (_, index) => line(index))
    .join('\n')
    .slice(0, LARGE_CHARS);
};

/** A lock file as yarn has it. */
const lockFile = () =>
  Object.entries(JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages)
    .map(([folder, { version, resolved, integrity }]) => {
      const name = folder.split('node_modules/').at(-1);
      return `"${name}@^${version}":\n  version "${version}"\n  resolved "${resolved}"\n  integrity ${integrity}\n`;
    })
    .join('\n')
    .slice(0, LARGE_CHARS);

/** What a test runner prints into a terminal. */
const coloured = (chars = LARGE_CHARS) => {
  const green = '\x1b[32m\u2713\x1b[39m';
  const line = (index) =>
    [
      ` ${green} tests/journal/segment-${index}.test.ts \x1b[2m(\x1b[22m\x1b[2m${index % 30} tests\x1b[22m\x1b[2m)\x1b[22m \x1b[33m${index % 900}\x1b[2mms\x1b[22m\x1b[39m`,
      `   ${green} reads what was written before, also when its end is missing \x1b[2m#${index}\x1b[22m`,
      `\x1b[31m   \u2192 expected \x1b[1m${index}\x1b[22m to be ${index + 1} // Object.is equality\x1b[39m`,
    ][index % 3];
  return Array.from({ length: chars / 60 }, (_, index) => line(index))
    .join('\n')
    .slice(0, chars);
};

/** Secrets that never were, a line each, spread over the text. */
function withSecrets(text, count) {
  const lines = text.split('\n');
  const random = () => createHash('sha256').update(`${lines.length}`).digest('base64url');
  for (let index = 0; index < count; index += 1) {
    const at = Math.floor((lines.length * (index + 0.5)) / count);
    const token = random().replace(/[-_]/g, 'x').slice(0, 36);
    lines.splice(at, 0, [`TOKEN=ghp_${token}`, `password: "${token.slice(0, 12)}7"`][index % 2]);
  }
  return lines.join('\n');
}

await script('redaction', async () => {
  const dir = scratch();
  const asFunction = {
    format: 'cjs',
    banner: { js: '(function(exports,require,module,__dirname){' },
    footer: { js: '})' },
  };
  const plugins = [await keywordsMade(build, root), rulesApart];
  await bundled(path.join(dir, 'hook.cjs'), { ...asFunction, plugins });
  await bundled(path.join(dir, 'redaction.cjs'), {
    ...asFunction,
    stdin: undefined,
    entryPoints: [path.join(root, 'src/capture/redaction/engine.ts')],
    plugins,
  });
  await build({
    entryPoints: [path.join(root, 'src/hook/code-cache.ts')],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    define: { HOOK_BUILD: '"bench"' },
    outfile: path.join(dir, 'code-cache.cjs'),
  });
  const runner = path.join(dir, 'fresh.cjs');
  writeFileSync(runner, FRESH);
  const { NODE_EXTRA_CA_CERTS: _certs, NODE_OPTIONS: _options, ...env } = process.env;
  const runWith = (value, expected) => {
    const input = path.join(dir, 'input.json');
    writeFileSync(input, JSON.stringify(value));
    const { stdout, stderr, status } = spawnSync(process.execPath, [runner, input], {
      env,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
    const result = JSON.parse(stdout);
    if (expected !== undefined && result.found !== expected)
      throw new Error(`${result.found} secrets were found`);
    return result;
  };
  const fresh = (value, expected, what = 'search', rounds = ROUNDS) => {
    const samples = [];
    const cpu = [];
    for (let round = -1; round < rounds; round += 1) {
      const result = runWith(value, expected);
      if (round < 0) continue;
      samples.push(result[what]);
      cpu.push(result.cpu);
    }
    cpu.sort((a, b) => a - b);
    // Where the machine has other work, the clock says how much of it.
    return { samples, note: `CPU ${cpu[cpu.length >> 1].toFixed(1)} ms` };
  };
  /** What 60 KiB more of it take, in turns with its first 4 KiB: a process pays for its beginning either way. */
  const grown = (name, textOf, found = 0) => {
    const samples = Array.from({ length: ROUNDS }, () => {
      const all = runWith(large(textOf(LARGE_CHARS)), found).search;
      return all - runWith(large(textOf(SMALL_CHARS)), found).search;
    });
    return valueRow(`hook, 60 KiB more of ${name}`, samples, 'ms', 8);
  };
  const clockRow = (name, { samples, note }, goal) =>
    valueRow(`${name} (${note})`, samples, 'ms', goal);
  const payload = postToolUse('8d0ee8bb-5a1c-4c4e-9e52-0e1df6bb45c5', 'toolu_bench00000001', dir);
  const large = (stdout) => ({ ...payload, tool_response: { stdout, stderr: '' } });
  const ordinaryTexts = [
    ['code', code()],
    ['prose', prose()],
    ['JSON', json()],
    ['logs', log()],
    ['a lock file', lockFile()],
    ['coloured test output', coloured()],
  ];
  // As an installed hook that has met a secret before: V8's code cache of both bundles is from such a call.
  fresh(large(withSecrets(code(), 20)), 20);
  const rows = [
    valueRow(
      'hook, 4 KB without a secret, loading included',
      fresh(payload, 0, 'all').samples,
      'ms',
    ),
    clockRow('hook, 4 KB without a secret', fresh(payload, 0)),
    ...ordinaryTexts.map(([name, text]) =>
      clockRow(`hook, 64 KiB of ${name}`, fresh(large(text), 0), 8),
    ),
    ...ordinaryTexts.map(([name, text]) => grown(name, (chars) => text.slice(0, chars))),
    ...[1, 20].map((count) =>
      grown(
        `code, secrets: ${count}`,
        (chars) => withSecrets(code().slice(0, chars), count),
        count,
      ),
    ),
    ...[
      ["packages' readmes", /\.md$/i],
      ["packages' code", /\.[cm]?js$/],
    ].map(([name, names]) => {
      const pieces = piecesOf(names, PIECES);
      return valueRow(
        `hook, 64 KiB of ${name}, ${pieces.length} pieces`,
        pieces.map((text) =>
          Math.min(...fresh(large(text), undefined, 'search', PIECE_ROUNDS).samples),
        ),
        'ms',
        8,
      );
    }),
    ...[1, 20].map((count) =>
      clockRow(
        `hook, 64 KiB of code, secrets: ${count}`,
        fresh(large(withSecrets(code(), count)), count),
        8,
      ),
    ),
  ];

  const warm = path.join(dir, 'warm.mjs');
  await bundled(warm, { format: 'esm' });
  const { compileRedaction, redactText } = await import(warm);
  const { options } = compileRedaction();
  const best = async (texts, search) => {
    const megabytes = texts.reduce((sum, { length }) => sum + length, 0) / 1e6;
    let ms = Number.POSITIVE_INFINITY;
    for (let round = 0; round < WARM_ROUNDS; round += 1) {
      const { user } = process.cpuUsage();
      for (const text of texts) await search(text);
      ms = Math.min(ms, (process.cpuUsage().user - user) / 1000);
    }
    return ms / megabytes;
  };
  const rules = [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator }];
  const peer = (text) =>
    lintSource({
      source: { content: text, filePath: 'x', ext: '', contentType: 'text' },
      options: { config: { rules }, noPhysicFilePath: true },
    });
  const texts = ordinary(flags.quick ? 4e6 : 2e7);
  const mixed = texts.map((text, index) => (index % 10 === 0 ? withSecrets(text, 2) : text));
  for (const [name, of] of [
    ['ordinary sources', texts],
    ['the same, secrets in every tenth file', mixed],
    ['coloured test output', Array.from({ length: 8 }, () => coloured(5e5))],
  ]) {
    const own = await best(of, (text) => redactText(text, options));
    const theirs = await best(of.slice(0, 200), peer);
    // 20 MB/s.
    rows.push(
      singleRow(`${name}, warm, 1 MB, CPU (${(1000 / own).toFixed(0)} MB/s)`, own, 'ms', 50),
    );
    rows.push(singleRow(`secretlint, ${name} (${(1000 / theirs).toFixed(0)} MB/s)`, theirs, 'ms'));
  }
  return rows;
});
