import { describe, expect, it } from 'vitest';
import { scripts } from '../../../src/workspace/collectors/scripts.ts';
import { scratch } from '../../support.ts';
import { around, put } from '../support.ts';

const collect = async (files: Record<string, string>) => {
  const dir = scratch();
  put(dir, files);
  return (await scripts.collect(around(dir)))!;
};
const commands = async (files: Record<string, string>) =>
  (await collect(files)).map(({ command }) => command);

const PACKAGE = JSON.stringify({
  scripts: { dev: 'vite --port 3000', test: 'vitest run', odd: 7 },
});

describe('scripts', () => {
  it('are those of package.json, run by the package manager whose lock file is there', async () => {
    expect(await collect({ 'package.json': PACKAGE })).toEqual([
      { command: 'npm run dev', about: 'vite --port 3000' },
      { command: 'npm run test', about: 'vitest run' },
    ]);
    for (const [file, runner] of [
      ['pnpm-lock.yaml', 'pnpm'],
      ['yarn.lock', 'yarn'],
      ['bun.lock', 'bun'],
    ] as const)
      expect(await commands({ 'package.json': PACKAGE, [file]: '' })).toContain(
        `${runner} run dev`,
      );
  });

  it('are what cargo does with the package: its programs, and the aliases', async () => {
    expect(
      await collect({
        'Cargo.toml': '[package]\nname = "a"\n[[bin]]\nname = "server"\npath = "src/server.rs"\n',
        '.cargo/config.toml': '[alias]\nxtask = "run --package xtask --"\nt = ["test", "--all"]\n',
      }),
    ).toEqual([
      { command: 'cargo build', about: '' },
      { command: 'cargo test', about: '' },
      { command: 'cargo run --bin server', about: '' },
      { command: 'cargo xtask', about: 'run --package xtask --' },
      { command: 'cargo t', about: 'test --all' },
    ]);
  });

  it('are the targets of a Makefile, with what it says of them', async () => {
    const Makefile = [
      'CC := gcc',
      'VERSION:=1',
      '.PHONY: all',
      'all: build ## Everything',
      'build: $(OBJECTS)',
      '\tcc -o x',
      '%.o: %.c',
      'test-unit::',
      'build: more',
    ].join('\n');
    expect(await collect({ Makefile })).toEqual([
      { command: 'make all', about: 'Everything' },
      { command: 'make build', about: '' },
      { command: 'make test-unit', about: '' },
    ]);
  });

  it('are the recipes of a justfile, but for private ones', async () => {
    const justfile = [
      'set shell := ["bash"]',
      'version := "1"',
      'alias b := build',
      '# Builds it all',
      "[group('ci')]",
      'build target="all": deps',
      '  cargo build',
      '@quiet:',
      '_hidden:',
      'deploy host +args:',
    ].join('\n');
    expect(await collect({ justfile })).toEqual([
      { command: 'just build', about: 'Builds it all' },
      { command: 'just quiet', about: '' },
      { command: 'just deploy', about: '' },
    ]);
  });

  it('are none where the files are no such files', async () => {
    expect(await collect({ 'package.json': '{', 'Cargo.toml': '= =', Makefile: '\t\n' })).toEqual(
      [],
    );
    expect(await collect({ 'package.json': '{"scripts":["a"]}' })).toEqual([]);
    expect(await collect({})).toEqual([]);
  });

  it('of a file with hundreds are its first', async () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`s${n}`, 'x']));
    const found = await commands({
      'package.json': JSON.stringify({ scripts: many }),
      Makefile: 'all:\n',
    });
    expect(found).toHaveLength(16);
    expect(found.at(-1)).toBe('make all');
  });
});
