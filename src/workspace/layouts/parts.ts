import { changeText } from '../changes.ts';
import type { DevContext, Work } from '../context.ts';
import type { Entry, Section, What } from './section.ts';
import {
  ageText,
  more,
  moreLine,
  moreRow,
  moreSentences,
  sentencesOf,
  tableHead,
  timeText,
  todoText,
} from './words.ts';

const CHANGES_MAX = 8;

/** The saved work. Its lines share a heading; each has a budget of its own. */
export function workSection({ work }: DevContext, now: number): Section[] {
  if (work === undefined) return [];
  const heading = {
    ...taskSection('- **Task:** ', work, now),
    apart: true,
    head: ['## Saved Work State'],
  };
  const lines: Section[] = [
    {
      what: ['working file', 'working files'],
      head: [],
      inline: '- **Working files:** ',
      more,
      entries: worthLess(work.files, 75),
    },
    {
      ...sentences('- **Notes:** ', work.notes),
      what: ['sentence of notes', 'sentences of notes'],
    },
    {
      what: ['todo', 'todos'],
      head: ['- **Todos:**'],
      more: (left) => `  ${moreLine(left)}`,
      entries: todos(work),
    },
  ];
  const used = lines.filter(({ entries }) => entries.length > 0);
  if (heading.entries.length > 0) return [heading, ...used];
  // Without a task the heading goes to the first line.
  const [first, ...others] = used;
  return first === undefined
    ? []
    : [{ ...first, apart: true, head: ['## Saved Work State', ...first.head] }, ...others];
}

/** Open todos are worth more than done ones, earlier ones more than later ones. */
function todos({ todos: all }: NonNullable<DevContext['work']>): Entry[] {
  const seen = { open: 0, done: 0 };
  return all.map((todo) => {
    const kind = todo.status === 'completed' ? 'done' : 'open';
    seen[kind] += 1;
    const worth = (kind === 'done' ? 20 : 65) / (1 + (seen[kind] - 1) / 5);
    return { text: `  - ${todoText(todo)}`, worth };
  });
}

/** The task by sentence: its beginning is needed, the rest is worth less than a hint. */
export function taskSection(label: string, work: Work | undefined, now: number): Section {
  if (work === undefined) return sentences(label, '');
  const [first, ...others] = sentencesOf(work.task);
  const age = ageText(work, now);
  const entries = [
    ...(first === undefined ? [] : [{ text: first, worth: 100, needed: true }]),
    ...worthLess(others, 77),
    ...(age === '' ? [] : [{ text: age, worth: 99, needed: true }]),
  ];
  return { ...sentences(label, ''), entries };
}

/** The hint; its beginning is needed. */
export function hintLine(label: string, { hint }: DevContext): Section {
  const entries = worthLess(sentencesOf(hint), 95).map((one, index) =>
    index === 0 ? { ...one, needed: true } : { ...one, worth: Math.max(one.worth, 80) },
  );
  return { ...sentences(label, ''), entries };
}

export const hintSection = (title: string, context: DevContext): Section => ({
  ...hintLine('> ', context),
  apart: true,
  head: [title],
});

/** A text in one line, from which sentences may be left out. */
const sentences = (label: string, text: string): Section => ({
  head: [],
  inline: label,
  between: ' ',
  more: moreSentences,
  entries: worthLess(sentencesOf(text), 55),
});

export const containersSection = ({ containers }: DevContext): Section =>
  list(
    ['container', 'containers'],
    '## Active Containers',
    containers
      .filter(({ state }) => state === 'running')
      .map(({ name, status, state }) => `- ${name} (${status || state})`),
    50,
  );

/** The newest changes around the project. */
export const changesSection = ({ changes }: DevContext, now: number): Section =>
  list(
    ['change around the project', 'changes around the project'],
    '## Changed Around the Project',
    changes
      .slice(-CHANGES_MAX)
      .reverse()
      .map((change) => `- ${timeText(change.at, now)} ${changeText(change)}`),
    45,
  );

export const table = (
  what: What,
  title: string,
  names: string[],
  rows: string[],
  worth: number,
): Section => ({
  what,
  apart: true,
  head: [title, ...tableHead(...names)],
  entries: worthLess(rows, worth),
  more: moreRow(names.length),
});

export const list = (what: What, title: string, lines: string[], worth: number): Section => ({
  what,
  apart: true,
  head: [title],
  entries: worthLess(lines, worth),
  more: moreLine,
});

export const one = (text: string, label: string, worth: number): Entry[] =>
  text === '' ? [] : [{ text: `${label}${text}`, worth }];

/** Items, each worth less than the one before. */
export const worthLess = (items: readonly string[], worth: number): Entry[] =>
  items.map((text, index) => ({ text, worth: worth / (1 + index / 4) }));
