// What a text says of what was known before a cut, and how much of it the session came back to.
import path from 'node:path';

const COMMAND_CHARS = 60;
const TODO_CHARS = 60;

const plain = (text) => text.replace(/\s+/g, ' ');

/** A file is named by what tells it from the others: its name, with its folder where another one has the same name. */
export function named(text, files) {
  const bases = new Map();
  for (const file of files)
    bases.set(path.posix.basename(file), (bases.get(path.posix.basename(file)) ?? 0) + 1);
  return [...files].filter((file) => {
    const base = path.posix.basename(file);
    const tail = bases.get(base) > 1 ? file.split('/').slice(-2).join('/') : base;
    return hasWord(text, tail);
  });
}

function hasWord(text, name) {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const around = `${text[at - 1] ?? ' '}${text[at + name.length] ?? ' '}`;
    if (!/[\w-]/.test(around)) return true;
  }
  return false;
}

/** By what it runs, or by its own beginning. */
export const runsNamed = (text, commands) => {
  const whole = plain(text);
  return [...commands].flatMap(([key, { command }]) => {
    const words = key.replace(/ in \S+$/, '').slice(0, COMMAND_CHARS);
    const start = plain(command).trim().slice(0, COMMAND_CHARS);
    return hasWord(whole, words) || whole.includes(start) ? [key] : [];
  });
};

export const hasTodo = (text, subject) =>
  plain(text).includes(plain(subject).trim().slice(0, TODO_CHARS));

/** Counts of hits, by figure. */
export class Tally {
  cuts = 0;
  chars = 0;
  counts = new Map();

  add(figure, hits, all) {
    const before = this.counts.get(figure) ?? { hits: 0, all: 0 };
    this.counts.set(figure, { hits: before.hits + hits, all: before.all + all });
  }

  share(figure) {
    const { hits = 0, all = 0 } = this.counts.get(figure) ?? {};
    return all === 0 ? null : (100 * hits) / all;
  }
}

const among = (some, all) => [...some].filter((one) => all.has(one));

export const FIGURES = {
  edited15: 'edited in the next 15 calls and known before: named',
  edited30: 'edited in the next 30 calls and known before: named',
  allEdited30: 'edited in the next 30 calls, new ones too: named',
  read15: 'read in the next 15 calls and known before: named',
  read30: 'read in the next 30 calls and known before: named',
  filesUsed: 'of the files named, edited or read in the next 30 calls',
  runs15: 'commands run again in the next 15 calls: named',
  runs30: 'commands run again in the next 30 calls: named',
  runsUsed: 'of the commands named, run in the next 30 calls',
  todo: 'the todo that came next: named',
  mended: 'failing commands that passed later: named',
};

/** @param text what the next session is given */
export function score(tally, text, truth) {
  const { files, commands, at15, at30, mended, todo } = truth;
  const told = new Set(named(text, files));
  const runs = new Set(runsNamed(text, commands));
  const recall = (figure, wanted, has) =>
    tally.add(figure, wanted.filter((one) => has.has(one)).length, wanted.length);
  tally.cuts += 1;
  tally.chars += text.length;
  recall('edited15', among(at15.edited, files), told);
  recall('edited30', among(at30.edited, files), told);
  const fresh = [...at30.edited].filter((file) => !files.has(file));
  recall('allEdited30', [...at30.edited], new Set([...told, ...named(text, fresh)]));
  recall('read15', among(at15.read, files), told);
  recall('read30', among(at30.read, files), told);
  const touched = new Set([...at30.edited, ...at30.read]);
  tally.add('filesUsed', among(told, touched).length, told.size);
  const known = new Set(commands.keys());
  recall('runs15', among(at15.runs, known), runs);
  recall('runs30', among(at30.runs, known), runs);
  tally.add('runsUsed', among(runs, at30.runs).length, runs.size);
  if (todo !== undefined) tally.add('todo', hasTodo(text, todo) ? 1 : 0, 1);
  recall('mended', mended, runs);
  const found = among(told, at30.edited).length + among(runs, at30.runs).length;
  tally.add('found', found, 0);
}

/** What was known, came next and is not named, a line each. */
export function* missesOf(text, { files, commands, at30, todo }) {
  const told = new Set(named(text, files));
  const runs = new Set(runsNamed(text, commands));
  for (const file of among(at30.edited, files)) if (!told.has(file)) yield `edited ${file}`;
  for (const key of among(at30.runs, new Set(commands.keys())))
    if (!runs.has(key)) yield `run ${key}`;
  if (todo !== undefined && !hasTodo(text, todo)) yield `todo ${todo}`;
}

/** Of a document's section, or its first line. */
export function sectionOf(text, title) {
  const [, after = ''] = text.split(`\n## ${title}\n`);
  return after.split('\n## ')[0];
}
