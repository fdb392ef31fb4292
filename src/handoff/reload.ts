import path from 'node:path';
import { looksAround } from '../projections/outcome/command.ts';
import { changedIn } from './files.ts';
import type { Gathered } from './gather.ts';
import { hashed, type Tree } from './tree.ts';

const SECTIONS_MAX = 4;
const FILES_MAX = 12;
const CHARS_MAX = 256 * 1024;
const NAME = 'CLAUDE.md';
const NAME_CHARS_MIN = 4;
const HEADING = /^ {0,3}#{1,6}\s+(.+?)\s*#*\s*$/;
const FENCE = /^ {0,3}(```|~~~)/;

/** The sections of the rules' files above the files in work that share most names with those and with the commands; rare names count more. */
export function toReload({ tree, state, known }: Gathered) {
  const changed = changedIn(tree, state.files).map(({ name }) => name);
  const commands = Object.values(known.outcomes)
    .filter(({ name, about }) => name === 'Bash' && !looksAround(about))
    .map(({ about }) => about);
  const inWork = namesOf(changed, commands);
  const found = rulesFiles(changed).flatMap((file) => sectionsOf(tree, file));
  const shared = found.map(({ text }) => inWork.filter((name) => has(text, name)));
  const common = (name: string) => shared.filter((names) => names.includes(name)).length;
  return found
    .map((section, at) => ({
      ...section,
      worth: shared[at]!.reduce((sum, name) => sum + 1 / common(name), 0),
    }))
    .filter(({ worth }) => worth > 0)
    .sort((a, b) => b.worth - a.worth)
    .slice(0, SECTIONS_MAX);
}

/** Of the project, and of each folder down to the files. */
function rulesFiles(changed: readonly string[]): string[] {
  const folders = new Set(['.', '.claude']);
  for (const file of changed)
    for (let dir = path.posix.dirname(file); dir !== '.'; dir = path.posix.dirname(dir))
      folders.add(dir);
  return [...folders].map((dir) => path.posix.join(dir, NAME)).slice(0, FILES_MAX);
}

/** Paths, names and stems of files, their folders, and the first words of commands. */
function namesOf(files: readonly string[], commands: readonly string[]): string[] {
  const ofFiles = files.flatMap((file) => {
    const { base, name, dir } = path.posix.parse(file);
    return [file, base, name.split('.')[0]!, ...dir.split('/'), ...(dir === '' ? [] : [`${dir}/`])];
  });
  const ofCommands = commands.flatMap((command) => {
    const words = command.split(/\s+/).filter((word) => /^[\w@./:-]+$/.test(word));
    return [words.slice(0, 2).join(' '), words.slice(0, 3).join(' '), ...words.slice(1, 4)];
  });
  const names = [...ofFiles, ...ofCommands].map((name) => name.toLowerCase());
  return [...new Set(names)].filter(({ length }) => length >= NAME_CHARS_MIN);
}

/** As a word: `auth` is not in `author`. */
function has(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const around = `${text[at - 1] ?? ' '}${text[at + name.length] ?? ' '}`;
    if (!/[\p{L}\p{N}]/u.test(around) || name.endsWith('/')) return true;
  }
  return false;
}

/** From its first line to its last one; the heading is empty for what stands before the first one. */
export function sectionsOf(tree: Tree, file: string) {
  const whole = tree.textOf(file);
  if (whole === undefined || whole.length > CHARS_MAX) return [];
  const lines = whole.split('\n');
  const starts = [{ at: 0, heading: '' }];
  let isCode = false;
  for (const [at, line] of lines.entries()) {
    if (FENCE.test(line)) isCode = !isCode;
    const heading = isCode ? undefined : HEADING.exec(line)?.[1];
    if (heading !== undefined) starts.push({ at, heading });
  }
  return starts.flatMap(({ at, heading }, n) => {
    const own = lines.slice(at, starts[n + 1]?.at);
    const text = own.join('\n');
    if (text.trim() === '') return [];
    const [from, to] = [at + 1, at + own.length];
    return [{ file, heading, from, to, hash: hashed(text), text: text.toLowerCase() }];
  });
}
