#!/usr/bin/env node
// Builds dist/: one CommonJS bundle an entry (they start faster than ES modules), the library as an ES module,
// its types, and beside them the two files that cannot be bundled: the lock's addons and the Zstd encoder's wasm.
//
//   node tools/build.mjs [--bundles-only]
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { keywordsMade, writtenMade } from './constants-made.mjs';
import { rulesApart } from './rules-apart.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const dist = path.join(root, 'dist');
const require = createRequire(import.meta.url);
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const bundlesOnly = process.argv.includes('--bundles-only');

// Systems whose prebuilt addon is shipped; elsewhere ben10 spools instead of locking.
const TARGETS = [
  'darwin-arm64',
  'darwin-x64',
  'linux-arm64',
  'linux-x64',
  'win32-arm64',
  'win32-x64',
];

// An ES module has neither of these; what is bundled into it uses both.
const LIBRARY_BANNER = [
  "import { createRequire as ben10Require } from 'node:module';",
  "import { fileURLToPath as ben10Path } from 'node:url';",
  'const require = ben10Require(import.meta.url);',
  "const __dirname = ben10Path(new URL('.', import.meta.url));",
].join('\n');

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  define: { BEN10_VERSION: JSON.stringify(version) },
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
  // jsonc-parser's main file is UMD, whose inner requires cannot be bundled.
  mainFields: ['module', 'main'],
};

const commonjs = {
  hook: 'src/hook/entry-hook.ts',
  'hook-slow': 'src/hook/entry-slow.ts',
  'hook-handoff': 'src/handoff/at-hooks.ts',
  redaction: 'src/capture/redaction/engine.ts',
  status: 'src/cli/entry-status.ts',
  statusline: 'src/statusline/entry.ts',
  cli: 'src/cli/main.ts',
  mcp: 'src/mcp/main.ts',
  'mcp-http': 'src/mcp/http/listen.ts',
  // Behind the hooks, whose content it knows.
  ben10: 'src/hook/entry-dispatch.ts',
};

// Libraries that only some commands need: files of their own, which the others do not have to read.
const LIBRARIES = [
  '@secretlint/core',
  '@secretlint/secretlint-rule-preset-recommend',
  'cli-progress',
  'cli-table3',
  'diff',
  'ignore',
  'jsonc-parser',
  'smol-toml',
  'yaml',
];
// Only context packs need them, and the vocabularies are large: apart from the server, too.
const OF_PACKS = [
  'gpt-tokenizer/bpeRanks/cl100k_base',
  'gpt-tokenizer/bpeRanks/o200k_base',
  'gpt-tokenizer/encodingParams/constants',
  'picomatch',
];
// The launcher compiles these bundles itself, to keep what V8 makes of them; small ones are functions already.
const FUNCTIONS = ['hook', 'hook-slow', 'hook-handoff', 'redaction', 'status', 'statusline'];
const LAUNCHED = [...FUNCTIONS, 'mcp', 'cli'];
// Most of their processes meet no text that needs the rules of redaction.
const RULES_APART = ['hook', 'hook-slow', 'hook-handoff', 'redaction', 'status', 'statusline'];
// They write events, and read none.
const WRITE_ONLY = ['hook', 'statusline'];
const keywords = await keywordsMade(build, root);
const written = await writtenMade(build, root);
const AS_FUNCTION = {
  banner: { js: '(function(exports,require,module,__dirname){' },
  footer: { js: '})' },
};

const LZ4_SCRATCH = 'makeBuffer(5 << 20)';
/** lz4js takes five megabytes for frames of its own as it is loaded: ben10 only packs blocks with it (`codecs/lz4.ts`). */
const lz4Blocks = {
  name: 'lz4-blocks',
  setup(building) {
    building.onLoad({ filter: /[\\/]lz4js[\\/]lz4\.js$/ }, ({ path: file }) => {
      const source = readFileSync(file, 'utf8');
      if (!source.includes(LZ4_SCRATCH)) throw new Error(`${file} has no ${LZ4_SCRATCH} any more`);
      return { contents: source.replace(LZ4_SCRATCH, 'makeBuffer(0)'), loader: 'js' };
    });
  },
};

const librariesApart = (names) => ({
  name: 'libraries-apart',
  setup(building) {
    building.onResolve({ filter: /^@?[a-z]/ }, ({ path: name, kind }) =>
      kind !== 'entry-point' && names.includes(name)
        ? { path: `./lib/${name}.cjs`, external: true }
        : undefined,
    );
  },
});

if (!bundlesOnly) rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
for (const name of readdirSync(dist))
  if (name.endsWith('.cache')) rmSync(path.join(dist, name), { force: true });

const results = [];
for (const [name, entry] of Object.entries(commonjs)) {
  if (!existsSync(path.join(root, entry))) continue;
  const isSmall = name !== 'cli' && name !== 'mcp';
  results.push(
    await build({
      ...common,
      entryPoints: [entry],
      outfile: `dist/${name}.cjs`,
      format: 'cjs',
      minify: isSmall,
      // Less to read at every start; names stay, for BEN10_DEBUG's stacks and the server's log.
      ...(!isSmall && { minifyWhitespace: true, minifySyntax: true }),
      plugins: [
        lz4Blocks,
        keywords,
        librariesApart(entry.startsWith('src/cli/') ? [...LIBRARIES, ...OF_PACKS] : OF_PACKS),
        ...(RULES_APART.includes(name) ? [rulesApart] : []),
        ...(WRITE_ONLY.includes(name) ? [written] : []),
      ],
      // The CLI and the hook start the other bundles by their file names.
      external: ['./redaction.cjs', './hook-*.cjs', './cli.cjs', './mcp.cjs', './mcp-http.cjs'],
      ...(FUNCTIONS.includes(name) && AS_FUNCTION),
      ...(name === 'ben10' && {
        banner: { js: '#!/usr/bin/env node' },
        define: { ...common.define, HOOK_BUILD: JSON.stringify(contentOf(LAUNCHED)) },
      }),
      // What the launcher compiles cannot import by itself: there, `import()` is a `require`.
      ...(entry.startsWith('src/hook/') ? {} : { supported: { 'dynamic-import': false } }),
      // Packages that ask for their own folder find this bundle's.
      ...(isSmall
        ? {}
        : { alias: { '@bokuweb/zstd-wasm': require.resolve('@bokuweb/zstd-wasm') } }),
    }),
  );
  if (LAUNCHED.includes(name)) escapeLetters(path.join(dist, `${name}.cjs`));
}
for (const name of [...LIBRARIES, ...OF_PACKS]) {
  results.push(
    await build({
      ...common,
      entryPoints: [name],
      outfile: `dist/lib/${name}.cjs`,
      format: 'cjs',
      minify: true,
      // It exports one list; for the bundles, all that a file exports is its default.
      ...(name.includes('/bpeRanks/') && {
        footer: { js: 'module.exports=module.exports.default;' },
      }),
    }),
  );
}
if (existsSync(path.join(root, 'src/index.ts'))) {
  results.push(
    await build({
      ...common,
      entryPoints: ['src/index.ts'],
      outfile: 'dist/index.js',
      format: 'esm',
      banner: { js: LIBRARY_BANNER },
    }),
  );
}
if (existsSync(path.join(dist, 'ben10.cjs'))) chmodSync(path.join(dist, 'ben10.cjs'), 0o755);

const addons = path.join(
  path.dirname(require.resolve('fs-native-extensions/package.json')),
  'prebuilds',
);
for (const target of TARGETS) {
  const file = path.join(target, 'fs-native-extensions.node');
  if (existsSync(path.join(addons, file)))
    cpSync(path.join(addons, file), path.join(dist, 'addons', file));
}
cpSync(
  path.join(path.dirname(require.resolve('@bokuweb/zstd-wasm')), 'zstd.wasm'),
  path.join(dist, 'zstd.wasm'),
);

// The session that `ben10 demo` looks at, with its licence.
const recorded = path.join(root, 'tests/fixtures/transcripts/claude-2.1.39-auto-compact');
const demo = path.join(dist, 'demo');
rmSync(demo, { recursive: true, force: true });
cpSync(
  path.join(recorded, '258c7280-ae70-4798-800f-63464d01a85d.jsonl'),
  path.join(demo, 'session.jsonl'),
);
cpSync(path.join(recorded, 'LICENSE'), path.join(demo, 'LICENSE'));

writeFileSync(path.join(dist, 'THIRD-PARTY-LICENSES.txt'), licences(results));
if (!bundlesOnly && existsSync(path.join(root, 'src/index.ts'))) {
  // Its exports do not name its command.
  const tsc = path.join(path.dirname(require.resolve('typescript/package.json')), 'bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', path.join(root, 'tools/tsconfig.types.json')], {
    stdio: 'inherit',
  });
}

/**
 * What esbuild leaves as it is, which is inside of regular expressions: one such letter, and all of the text is read in the slow way and
 * takes twice the memory.
 */
function escapeLetters(file) {
  const text = readFileSync(file, 'utf8');
  if (/\\[^\x00-\x7f]/.test(text)) throw new Error(`${file}: a letter behind a backslash`);
  const unit = (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`;
  writeFileSync(file, text.replace(/[^\x00-\x7f]/g, unit));
}

/** Names bundles' content: the code cache of another one must not be taken for its own. */
function contentOf(names) {
  const hash = createHash('sha256');
  for (const name of names) hash.update(readFileSync(path.join(dist, `${name}.cjs`)));
  return hash.digest('hex').slice(0, 12);
}

/** The licence of every package that is inside a bundle or beside it. */
function licences(builds) {
  const packages = new Set(['fs-native-extensions', '@bokuweb/zstd-wasm']);
  for (const { metafile } of builds) {
    for (const input of Object.keys(metafile.inputs)) {
      const match = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(input);
      if (match) packages.add(match[1]);
    }
  }
  const texts = [];
  for (const name of [...packages].sort()) {
    const dir = path.join(root, 'node_modules', name);
    if (!existsSync(dir)) continue;
    const about = JSON.parse(readFileSync(path.join(dir, 'package.json'), 'utf8'));
    const file = readdirSync(dir).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file
      ? readFileSync(path.join(dir, file), 'utf8').trim()
      : `Licence: ${about.license}`;
    texts.push(`${name} ${about.version} (${about.license})\n\n${text}`);
  }
  return `${texts.join(`\n\n${'-'.repeat(78)}\n\n`)}\n`;
}
