import { changeText } from '../changes.ts';
import type { DevContext } from '../context.ts';
import type { Entry, Section } from './section.ts';
import { more, moreLine, taskText, timeText, todoText } from './words.ts';

const CHANGES_MAX = 8;

/** What somebody said that they are at. Its lines stand under one heading, each with a budget of its own. */
export function workSection({ work }: DevContext, now: number): Section[] {
  if (work === undefined) return [];
  const task = taskText(work, now);
  const heading: Section = {
    apart: true,
    head: ['## Saved Work State'],
    entries: one(task, '- **Task:** ', 100),
  };
  const lines: Section[] = [
    { head: [], inline: '- **Working files:** ', more, entries: worthLess(work.files, 75) },
    { head: [], entries: one(work.notes, '- **Notes:** ', 55) },
    { head: ['- **Todos:**'], more: (left) => `  ${moreLine(left)}`, entries: todos(work) },
  ];
  const used = lines.filter(({ entries }) => entries.length > 0);
  if (heading.entries.length > 0) return [heading, ...used];
  // Without a task the heading belongs to what comes first.
  const [first, ...others] = used;
  return first === undefined
    ? []
    : [{ ...first, apart: true, head: ['## Saved Work State', ...first.head] }, ...others];
}

/** What is open is worth more than what is done, and the first of each most. */
function todos({ todos: all }: NonNullable<DevContext['work']>): Entry[] {
  const seen = { open: 0, done: 0 };
  return all.map((todo) => {
    const kind = todo.status === 'completed' ? 'done' : 'open';
    seen[kind] += 1;
    const worth = (kind === 'done' ? 20 : 65) / (1 + (seen[kind] - 1) / 5);
    return { text: `  - ${todoText(todo)}`, worth };
  });
}

export const hintSection = (title: string, { hint }: DevContext): Section => ({
  apart: true,
  head: [title],
  entries: one(hint, '> ', 80),
});

export function containersSection({ containers }: DevContext): Section {
  const running = containers.filter(({ state }) => state === 'running');
  return {
    apart: true,
    head: ['## Active Containers'],
    entries: worthLess(
      running.map(({ name, status }) => `- ${name} (${status})`),
      50,
    ),
    more: moreLine,
  };
}

/** The newest changes around the project; what is usual has no line here. */
export function changesSection({ changes }: DevContext, now: number): Section {
  const newest = changes.slice(-CHANGES_MAX).reverse();
  return {
    apart: true,
    head: ['## Changed Around the Project'],
    entries: worthLess(
      newest.map((change) => `- ${timeText(change.at, now)} ${changeText(change)}`),
      45,
    ),
    more: moreLine,
  };
}

export const one = (text: string, label: string, worth: number): Entry[] =>
  text === '' ? [] : [{ text: `${label}${text}`, worth }];

/** Items in the order of their worth: each is worth less than the one before. */
export const worthLess = (items: readonly string[], worth: number): Entry[] =>
  items.map((text, index) => ({ text, worth: worth / (1 + index / 4) }));
