import type { Project } from '../project/open.ts';
import { contextUse } from '../projections/folds/context-use.ts';
import { isOpen, type Task, tasks } from '../projections/folds/tasks.ts';
import { estimateOf } from './estimate.ts';
import { openIn } from './size.ts';
import type { MonitorView } from './view.ts';

interface Planned {
  todos: { title: string; tokens: number }[];
  /** Of the window, where the session ends. */
  percent: number;
}

export type SessionPlan = ReturnType<typeof planSessions>;

const TODOS_MAX = 200;

/**
 * Packs open todos into the room that is left before L2, first fit; what is too large for any session gets one of its own.
 * @param text whose items are packed; by default the session's todos
 */
export function planSessions(project: Project, view: MonitorView, text?: string) {
  const { session, window, l2: upTo } = view;
  const percentOf = (tokens: number) => Math.round((100 * tokens) / window);
  const { firstTokens } = project.states.at(contextUse, session).state;
  // What every session begins with.
  const base = firstTokens ?? 0;
  const open: (Planned & { held: number })[] = [];
  const begin = (held: number) => open.push({ todos: [], percent: percentOf(held), held });
  begin(view.tokens ?? 0);
  const todos = Object.values(project.states.at(tasks, session).state.tasks);
  const work = text === undefined ? workOf(todos) : workIn(text);
  for (const { title, words } of work.slice(0, TODOS_MAX)) {
    const { tokens } = estimateOf({ project, settings: { window }, session }, words);
    const fits = ({ held }: { held: number }) => percentOf(held + tokens) <= upTo;
    if (!open.some(fits)) begin(base);
    const found = open.find(fits) ?? open.at(-1)!;
    found.todos.push({ title, tokens });
    found.held += tokens;
    found.percent = percentOf(found.held);
  }
  return { window, upTo, sessions: open.map(({ held: _, ...planned }): Planned => planned) };
}

/** Something to do, and what says how much it is. */
interface Work {
  title: string;
  words: string;
}

export const workIn = (text: string): Work[] =>
  openIn(text).map(({ title, lines }) => ({ title, words: lines.join('\n') }));

export const workOf = (todos: readonly Task[]): Work[] =>
  todos.filter(isOpen).map(({ subject }) => ({ title: subject, words: subject }));
