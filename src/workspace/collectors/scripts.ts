import { existsSync } from 'node:fs';
import path from 'node:path';
import { isRecord } from '../../platform/config/value.ts';
import type { Script } from '../context.ts';
import type { Around, Collector } from './collector.ts';
import { readInside } from './read.ts';

const SCRIPTS_MAX = 40;
/** Of one file: a monorepo's package.json may have hundreds. */
const PER_FILE_MAX = 15;
const NAME_CHARS = 60;
const ABOUT_CHARS = 80;

type Found = [name: string, about: string];

/** What the project's files offer to run: package scripts, cargo's commands, make targets, just recipes. */
export const scripts: Collector<Script> = {
  timeoutMs: 500,
  async collect(around) {
    const { clean } = around;
    const runners: [string, Found[]][] = [
      [packageManager(around.dir), packageScripts(around)],
      ['cargo', await cargo(around)],
      ['just', justRecipes(around)],
      ['make', makeTargets(around)],
    ];
    return runners
      .flatMap(([runner, found]) =>
        found.slice(0, PER_FILE_MAX).map(([name, about]) => ({
          command: clean(`${runner} ${name}`, NAME_CHARS),
          about: clean(about, ABOUT_CHARS),
        })),
      )
      .slice(0, SCRIPTS_MAX);
  },
};

/** By its lock file. */
function packageManager(dir: string): string {
  const has = (name: string): boolean => existsSync(path.join(dir, name));
  if (has('pnpm-lock.yaml')) return 'pnpm run';
  if (has('yarn.lock')) return 'yarn run';
  if (has('bun.lock') || has('bun.lockb')) return 'bun run';
  return 'npm run';
}

function packageScripts({ dir }: Around): Found[] {
  const text = readInside(dir, 'package.json');
  if (text === undefined) return [];
  try {
    const parsed = JSON.parse(text) as unknown;
    const own = isRecord(parsed) && isRecord(parsed.scripts) ? parsed.scripts : {};
    return Object.entries(own).flatMap(([name, about]): Found[] =>
      typeof about === 'string' ? [[name, about]] : [],
    );
  } catch {
    return [];
  }
}

/** Cargo's common commands, the package's programs, and the user's aliases. */
async function cargo({ dir }: Around): Promise<Found[]> {
  const manifest = await toml(readInside(dir, 'Cargo.toml'));
  if (manifest === undefined) return [];
  const { alias } = (await toml(readInside(dir, '.cargo/config.toml'))) ?? {};
  const programs = Array.isArray(manifest.bin) ? manifest.bin.filter(isRecord) : [];
  return [
    ['build', ''],
    ['test', ''],
    ...programs.map(({ name }): Found => [`run --bin ${String(name)}`, '']),
    ...Object.entries(isRecord(alias) ? alias : {}).map(
      ([name, to]): Found => [name, Array.isArray(to) ? to.join(' ') : String(to)],
    ),
  ];
}

async function toml(text: string | undefined): Promise<Record<string, unknown> | undefined> {
  if (text === undefined) return undefined;
  try {
    const { parse } = await import('smol-toml');
    return parse(text);
  } catch {
    return undefined;
  }
}

/** Rules with plain names, described by the comment after `##`. */
function makeTargets({ dir }: Around): Found[] {
  const text = ['GNUmakefile', 'makefile', 'Makefile']
    .map((name) => readInside(dir, name))
    .find(Boolean);
  const found = [...(text ?? '').matchAll(/^([A-Za-z][\w-]*)[ \t]*:(?!:?=)([^\n]*)/gm)];
  return unique(found.map(([, name, rest]) => [name!, /##[ \t]*(.*)$/.exec(rest!)?.[1] ?? '']));
}

/** A recipe begins at the start of a line, described by the comment above. Private ones begin with `_`. */
function justRecipes({ dir }: Around): Found[] {
  const text = ['justfile', 'Justfile', '.justfile']
    .map((name) => readInside(dir, name))
    .find(Boolean);
  const lines = (text ?? '').split('\n').filter((line) => !/^\[.*\]\s*$/.test(line));
  return unique(
    lines.flatMap((line, index): Found[] => {
      const [, name] = /^@?([A-Za-z][\w-]*)(?:[ \t]+[^\s:]+)*[ \t]*:(?!=)/.exec(line) ?? [];
      if (name === undefined || /^(?:set|alias|export|import|mod)$/.test(name)) return [];
      return [[name, /^#[ \t]*(.*)$/.exec(lines[index - 1] ?? '')?.[1] ?? '']];
    }),
  );
}

const unique = (found: Found[]): Found[] => [
  ...new Map(found.map((one) => [one[0], one])).values(),
];
