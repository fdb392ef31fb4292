import path from 'node:path';
import type { FinishedTask } from '../projections/folds/task-sizes.ts';
import { namesAmong } from '../projections/references.ts';

/** `47k` */
export const thousands = (tokens: number): string =>
  tokens < 1000 ? String(tokens) : `${Math.round(tokens / 1000)}k`;

/** One thing to do, as a text lists it. */
export interface Item {
  title: string;
  /** The heading above it, or nothing. */
  heading: string;
  /** Word for word. */
  lines: string[];
  isDone: boolean;
  /** It begins within a block of code. */
  isCode?: true;
  /** The lines of the table's head that a row stands below. */
  head?: readonly string[];
}

/** Fitted to recorded todos: the median of one, and its share of a list, most of which is taken by a few large ones. */
const TASK_TOKENS = 4000;
const ITEM_TOKENS = 5300;
const NEW_FILE_TOKENS = 2000;
const EDIT_TOKENS = 1500;
const CHECK_TOKENS = 300;
const READ_TOKENS_MAX = 6000;
const BYTES_A_TOKEN = 3.6;
/** Prose without a list has one task in so many words. */
const WORDS_AN_ITEM = 60;
/** Of a size, before anything was learnt. */
const COLD = { low: 0.25, high: 3.3 };
/** Before so many tasks ended, they count half of what they say. */
const SHRINK = 5;
const FACTOR_MAX = 4;
/** Items of a list make up for each other: what is left of the spread of one, in the logarithm. */
const LIST_ITEMS = 3;
const LIST_SPREAD = 0.6;
const INTERVAL_TASKS_MIN = 10;
const ERROR_TASKS_MIN = 5;

export const FENCE = /^\s*(?:```|~~~)/;
const HEADING = /^#{1,6}\s+(.{1,300})/;
const SCENARIO = /^(?:#{1,6}\s+)?Scenario(?: Outline)?:\s*(.{1,300})/i;
const LISTED = /^(\s{0,12})(?:[-*+]|\d{1,4}[.)])\s+(?:\[([ xX])\]\s+)?(.{1,2000})/;
const ROW = /^\|(.{1,2000})\|\s*$/;
const RULE = /^\|[\s:|-]+\|\s*$/;
const CHECK = /\b(?:tests?|lint|type-?check|build|verify|benchmark)\b/i;
const FILE = /^@?(?:[\w.@+-]+\/)*[\w@+-][\w.@+-]*\.[A-Za-z]\w{0,9}$/;
const ITEMS_MAX = 2000;
const FILES_MAX = 500;

/** List items, table rows and scenarios; of nested lists the outermost. */
export function itemsOf(text: string): Item[] {
  const items: Item[] = [];
  const lines = text.split('\n');
  let heading = '';
  let head: readonly string[] = [];
  let isCode: boolean = false;
  let indent = Number.POSITIVE_INFINITY;
  /** The item that a line belongs to. */
  let item: Item | undefined;
  const open = (title: string, more: Partial<Item> = {}): Item => {
    const opened = { title, heading, lines: [], isDone: false, ...more };
    if (items.length < ITEMS_MAX) items.push(opened);
    return opened;
  };
  for (const [at, line] of lines.entries()) {
    const scenario = SCENARIO.exec(line)?.[1];
    const headed = HEADING.exec(line)?.[1];
    if (FENCE.test(line)) isCode = !isCode;
    else if (scenario !== undefined) item = open(scenario.trim(), isCode ? { isCode } : {});
    else if (!isCode && headed !== undefined) {
      item = undefined;
      heading = headed.trim();
    } else if (!isCode) {
      const [, before = '', box, title] = LISTED.exec(line) ?? [];
      const row = ROW.exec(line)?.[1];
      if (title !== undefined && (before.length <= indent || before.length < 2)) {
        indent = before.length;
        item = open(title.trim(), { isDone: box !== undefined && box !== ' ' });
      } else if (RULE.test(line)) head = lines.slice(Math.max(0, at - 1), at + 1);
      else if (row !== undefined && !RULE.test(lines[at + 1] ?? ''))
        item = open(row.replace(/\s*\|\s*/g, ' – ').trim(), { head });
      else if (row !== undefined) item = undefined;
    }
    const isBreak = line.trim() === '' || headed !== undefined;
    if (isBreak && !isCode) indent = Number.POSITIVE_INFINITY;
    item?.lines.push(line);
  }
  return items;
}

/** What is still to be done. */
export const openIn = (text: string): Item[] => itemsOf(text).filter(({ isDone }) => !isDone);

/** Names of files in a text, each once. */
export const filesNamed = (text: string): string[] => [
  ...new Set(
    namesAmong(text)
      .filter((word) => word.length <= 300 && FILE.test(word))
      .map((word) => path.posix.normalize(word.replace(/^@/, ''))),
  ),
];

export type Features = ReturnType<typeof featuresOf>;

/** What a size is estimated from. @param bytesOf a file's size, or undefined if it is not there */
export function featuresOf(text: string, bytesOf: (file: string) => number | undefined) {
  const open = openIn(text);
  const words = text.split(/\s+/).filter(Boolean).length;
  const named = filesNamed(text).slice(0, FILES_MAX);
  const sizes = new Map(named.map((file) => [file, bytesOf(file)]));
  const known = [...sizes.values()].filter((bytes) => bytes !== undefined);
  // A word with a dot, such as Node.js, is a file only if it is there.
  const isNew = (file: string) => file.includes('/') && sizes.get(file) === undefined;
  return {
    items: open.length > 0 ? open.length : Math.max(1, Math.round(words / WORDS_AN_ITEM)),
    // Existing ones that are named, and how much of them is read.
    files: known.length,
    fileTokens: Math.round(
      known.reduce((sum, bytes) => sum + Math.min(bytes / BYTES_A_TOKEN, READ_TOKENS_MAX), 0),
    ),
    newFiles: named.filter(isNew).length,
    checks: open.filter(({ title }) => CHECK.test(title)).length,
    words,
  };
}

/** Before anything was learnt. Where files are named, they count as much as the items, in the logarithm. */
export function plainTokens(features: Features): number {
  const { items, files, fileTokens, newFiles, checks } = features;
  const byItems = items === 1 ? TASK_TOKENS : items * ITEM_TOKENS;
  if (files + newFiles === 0) return byItems + checks * CHECK_TOKENS;
  const byFiles = fileTokens + files * EDIT_TOKENS + newFiles * NEW_FILE_TOKENS;
  return Math.sqrt(byItems * byFiles) + checks * CHECK_TOKENS;
}

export const NOTHING_LEARNT = {
  /** Finished tasks that taught it. */
  tasks: 0,
  /** What estimates are multiplied by. */
  factor: 1,
  ...COLD,
  /** The median error in percent, each task estimated from the others; null below five. */
  error: null as number | null,
};
export type Learnt = typeof NOTHING_LEARNT;

/** Todos are what a text lists; prompts teach only where there are few. */
export function learnFrom(finished: readonly FinishedTask[]): Learnt {
  const todos = finished.filter(({ kind }) => kind === 'task');
  const logs = (todos.length >= ERROR_TASKS_MIN ? todos : finished).map(({ words, tokens }) =>
    Math.log(tokens / plainTokens(featuresOf(words, () => undefined))),
  );
  const { length } = logs;
  if (length === 0) return NOTHING_LEARNT;
  const sum = logs.reduce((all, log) => all + log, 0);
  const factor = factorOf(sum, length);
  const left = logs
    .map((log) => log - Math.log(factorOf(sum - log, length - 1)))
    .sort((a, b) => a - b);
  const at = (sorted: readonly number[], share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
  const off = left.map((log) => Math.abs(1 / Math.exp(log) - 1)).sort((a, b) => a - b);
  return {
    tasks: length,
    factor,
    ...(length < INTERVAL_TASKS_MIN
      ? COLD
      : { low: Math.min(1, Math.exp(at(left, 0.1))), high: Math.max(1, Math.exp(at(left, 0.9))) }),
    error: length < ERROR_TASKS_MIN ? null : 100 * at(off, 0.5),
  };
}

function factorOf(sum: number, count: number): number {
  const factor = count === 0 ? 1 : Math.exp((sum / count) * (count / (count + SHRINK)));
  return Math.min(FACTOR_MAX, Math.max(1 / FACTOR_MAX, factor));
}

/** In tokens, and where 80 % of such tasks lie. */
export function sizeOf(features: Features, learnt: Learnt) {
  const tokens = plainTokens(features) * learnt.factor;
  const isLearnt = learnt.tasks >= INTERVAL_TASKS_MIN;
  const spread = isLearnt && features.items >= LIST_ITEMS ? LIST_SPREAD : 1;
  const round = (value: number) => Math.round(value / 100) * 100;
  return {
    tokens: round(tokens),
    low: round(tokens * learnt.low ** spread),
    high: round(tokens * learnt.high ** spread),
  };
}
