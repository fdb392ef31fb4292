import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { build } from 'esbuild';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { composeConfig } from '../../src/platform/config/compose.ts';
import { loadConfig } from '../../src/platform/config.ts';
import {
  compileHookConfig,
  readHookConfig,
  writeHookConfig,
} from '../../src/platform/hook-config.ts';
import { HOOK_CONFIG_BYTES_MAX, readCallSettings } from '../../src/platform/hook-config-file.ts';
import { scratch } from '../support.ts';

let home: string;
let projectDir: string;
let dir: string;
let file: string;
beforeEach(() => {
  const root = scratch();
  home = path.join(root, 'home');
  projectDir = path.join(root, 'project');
  dir = path.join(projectDir, '.ben10');
  file = path.join(dir, 'hook-config.json');
  fs.mkdirSync(path.join(home, '.config', 'ben10'), { recursive: true });
  fs.mkdirSync(projectDir);
});

const compile = () =>
  writeHookConfig(dir, compileHookConfig(loadConfig({ projectDir, home, env: {} })));
const read = (env = {}) => readHookConfig(dir, env, home);

describe('the compiled configuration', () => {
  it('is read back as it was written', () => {
    fs.mkdirSync(dir);
    fs.writeFileSync(
      path.join(dir, 'config.yaml'),
      'recall: {maxChars: 600}\nredaction:\n  patterns: [{id: MINE, pattern: "x-\\\\d+", flags: i}]\n',
    );
    compile();
    expect(read()?.stale).toBe(false);
    expect(read()?.config).toEqual(loadConfig({ projectDir, home, env: {} }).config);
    expect(read()?.config.redaction.patterns).toEqual([
      { id: 'MINE', pattern: 'x-\\d+', flags: 'i' },
    ]);
  });

  it('replaces a link in its place instead of writing through it', () => {
    const victim = path.join(home, 'victim');
    fs.writeFileSync(victim, 'mine');
    fs.mkdirSync(dir);
    fs.symlinkSync(victim, file);
    compile();
    expect(fs.readFileSync(victim, 'utf8')).toBe('mine');
    expect(fs.lstatSync(file).isSymbolicLink()).toBe(false);
  });

  it('holds no variables of the process that compiled it, and takes those of the one that reads', () => {
    const env = { BEN10_RECALL_MAX_CHARS: '700' };
    writeHookConfig(dir, compileHookConfig(loadConfig({ projectDir, home, env })));
    expect(read()?.config.recall.maxChars).toBe(9_000);
    expect(read(env)?.config.recall.maxChars).toBe(700);
    expect(read({ BEN10_RECALL_MAX_CHARS: 'many' })?.config.recall.maxChars).toBe(9_000);
  });

  it('is stale once a file appears, changes or goes, of the project or the user', () => {
    for (const yaml of [
      path.join(dir, 'config.yaml'),
      path.join(home, '.config', 'ben10', 'config.yaml'),
      path.join(dir, 'config.json'),
      path.join(home, '.config', 'ben10', 'config.json'),
    ]) {
      compile();
      expect(read()?.stale).toBe(false);
      fs.writeFileSync(yaml, '{"mcp": {}}');
      expect(read()?.stale).toBe(true);
      compile();
      expect(read()?.stale).toBe(false);
      fs.writeFileSync(yaml, '{"mcp": {"profile": "all"}}');
      expect(read()).toMatchObject({ stale: true, config: { mcp: { profile: ['core'] } } });
      compile();
      fs.unlinkSync(yaml);
      expect(read()).toMatchObject({ stale: true, config: { mcp: { profile: ['all'] } } });
    }
  });
});

describe('a compiled configuration that cannot be used', () => {
  const sound = () => JSON.parse(fs.readFileSync(file, 'utf8'));

  it('is undefined when it is missing, a folder, or its folder is a file', () => {
    expect(read()).toBeUndefined();
    fs.mkdirSync(file, { recursive: true });
    expect(read()).toBeUndefined();
    fs.rmSync(dir, { recursive: true });
    fs.writeFileSync(dir, '');
    expect(read()).toBeUndefined();
  });

  it('is undefined when it is a link, or a pipe that nobody writes', () => {
    compile();
    fs.renameSync(file, path.join(dir, 'real.json'));
    fs.symlinkSync('real.json', file);
    expect(read()).toBeUndefined();
    if (process.platform === 'win32') return;
    fs.unlinkSync(file);
    execFileSync('mkfifo', [file]);
    expect(read()).toBeUndefined();
  });

  it('may have 256 KiB and not a byte more', () => {
    compile();
    const text = fs.readFileSync(file, 'utf8').trimEnd();
    fs.writeFileSync(file, text.padEnd(HOOK_CONFIG_BYTES_MAX));
    expect(read()?.stale).toBe(false);
    fs.writeFileSync(file, text.padEnd(HOOK_CONFIG_BYTES_MAX + 1));
    expect(read()).toBeUndefined();
  });

  it('is undefined when it is of another format, or a setting in it is not sound', () => {
    compile();
    const data = sound();
    for (const bad of [
      { ...data, format: 2 },
      { ...data, sources: null },
      { ...data, config: [] },
      { ...data, config: { ...data.config, recall: { maxChars: 1e9 } } },
      { ...data, config: { ...data.config, redaction: { patterns: [{ id: 'A', pattern: '(' }] } } },
      { ...data, config: { ...data.config, bogus: 1 } },
    ]) {
      fs.writeFileSync(file, JSON.stringify(bad));
      expect(read(), JSON.stringify(bad)).toBeUndefined();
    }
  });

  it('counts stamps that are none as stale, and reads no path that the file names', () => {
    compile();
    const data = sound();
    data.sources = { user: { file: '/etc/passwd' }, project: 'x' };
    fs.writeFileSync(file, JSON.stringify(data));
    expect(read()?.stale).toBe(true);
  });

  it('never throws, whatever the bytes', () => {
    fs.mkdirSync(dir);
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          fc.json().map((text) => Buffer.from(text)),
        ),
        (bytes) => {
          fs.writeFileSync(file, bytes);
          expect(read()).toBeUndefined();
        },
      ),
    );
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (config, sources) => {
        fs.writeFileSync(file, JSON.stringify({ format: 1, config, sources }));
        read();
      }),
    );
  });
});

describe('the little of it that the hook of a tool call reads', () => {
  const call = (env = {}) => readCallSettings(dir, env);

  it('is what the whole says, whatever file and variable say', () => {
    fs.mkdirSync(dir);
    const rule = '{"id":"A","pattern":"a+"}';
    const files = [
      '{}',
      'context: {autoSave: true, sensitiveRedaction: false, excludePatterns: []}',
      'context: {autoSave: false, excludePatterns: [a, b/*], storageLocation: here/there}',
      `redaction: {patterns: [${rule}], allow: [x, y]}`,
    ];
    const said: Record<string, string[]> = {
      BEN10_CONTEXT_AUTO_SAVE: ['', 'true', '1', 'false', '0', 'no', '__proto__'],
      BEN10_CONTEXT_SENSITIVE_REDACTION: ['', 'true', '0', 'no'],
      BEN10_CONTEXT_EXCLUDE_PATTERNS: ['', 'c, d', '["e,f"]', '[', '["!a"]', '[1]'],
      BEN10_CONTEXT_STORAGE_LOCATION: ['', 'else', '../out', '/etc', 'x/.ben10'],
      BEN10_REDACTION_ALLOW: ['', 'z', '["z", "x"]'],
      BEN10_REDACTION_PATTERNS: ['', `[${rule}]`, '[{"id":"B","pattern":"b+"}]'],
    };
    for (const yaml of files) {
      fs.writeFileSync(path.join(dir, 'config.yaml'), yaml);
      compile();
      for (const [variable, texts] of Object.entries(said)) {
        for (const text of texts) {
          const env = { [variable]: text };
          const little = call(env);
          const { context, redaction } = read(env)!.config;
          const { patterns, allow, builtin } = little.redaction;
          expect({ ...little, redaction: undefined }, `${yaml} ${text}`).toEqual({
            autoSave: context.autoSave,
            autoRestore: context.autoRestore,
            exclude: context.excludePatterns,
            storage: context.storageLocation,
            redaction: undefined,
          });
          expect(builtin).toBe(context.sensitiveRedaction);
          expect(new Set(allow as string[])).toEqual(new Set(redaction.allow));
          expect(new Map((patterns as { id: string }[]).map((it) => [it.id, it]))).toEqual(
            new Map(redaction.patterns.map((it) => [it.id, it])),
          );
        }
      }
    }
  });

  it('is the defaults where there is no file that can be used', () => {
    const nothing = {
      autoSave: true,
      autoRestore: true,
      redaction: { patterns: undefined, allow: undefined, builtin: true },
      exclude: composeConfig([]).context.excludePatterns,
      storage: '.ben10',
    };
    expect(call()).toEqual(nothing);
    expect(call({ BEN10_CONTEXT_AUTO_SAVE: '0' })).toEqual({ ...nothing, autoSave: false });
    fs.mkdirSync(dir);
    for (const text of ['', '[]', '{"format":2,"config":{}}', '{"format":1,"config":[]}']) {
      fs.writeFileSync(file, text);
      expect(call(), text).toEqual(nothing);
    }
    fs.writeFileSync(file, '{"format":1,"config":{"context":"off"}}');
    expect(call()).toEqual(nothing);
  });
});

describe('the part that hooks load', () => {
  it('brings no package with it', async () => {
    const { metafile } = await build({
      entryPoints: [path.resolve('src/platform/hook-config.ts')],
      bundle: true,
      write: false,
      metafile: true,
      platform: 'node',
      logLevel: 'silent',
    });
    expect(Object.keys(metafile.inputs).filter((name) => name.includes('node_modules'))).toEqual(
      [],
    );
  });
});
