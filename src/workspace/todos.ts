import type { Todo } from '../events/types.ts';
import { isRecord } from '../platform/config/value.ts';

/** A list as people write it: `- [x] done`, `* [ ] open`, `1. next`. */
const LINE = /^\s*(?:[-*+•]|\d+[.)])?\s*(?:\[([ xX~>-])\]\s*)?(.*?)\s*$/;
const MARKS: Readonly<Record<string, Todo['status']>> = {
  x: 'completed',
  X: 'completed',
  '~': 'in_progress',
  '>': 'in_progress',
  '-': 'in_progress',
};
const WORDS: Readonly<Record<string, Todo['status']>> = {
  completed: 'completed',
  complete: 'completed',
  done: 'completed',
  in_progress: 'in_progress',
  'in progress': 'in_progress',
  doing: 'in_progress',
  active: 'in_progress',
};

/** Reads todos: lines of text, JSON, a list of texts, or the client's task list. Empty ones are left out. */
export function parseTodos(given: unknown): Todo[] {
  if (Array.isArray(given)) return given.flatMap(itemOf);
  if (typeof given !== 'string') return isRecord(given) ? parseTodos(given.todos) : [];
  if (/^\s*[[{]\s*["{[]/.test(given)) {
    try {
      return parseTodos(JSON.parse(given));
    } catch {
      // A list of lines that begins with a bracket.
    }
  }
  return given.split(/\n/).flatMap(lineOf);
}

function lineOf(line: string): Todo[] {
  const [, mark = ' ', content = ''] = LINE.exec(line) ?? [];
  return content === '' ? [] : [{ content, status: MARKS[mark] ?? 'pending' }];
}

function itemOf(item: unknown): Todo[] {
  if (typeof item === 'string') return lineOf(item.replace(/\s*\n\s*/g, ' '));
  if (!isRecord(item)) return [];
  const content = [item.content, item.subject, item.title, item.text].find(
    (one): one is string => typeof one === 'string' && one.trim() !== '',
  );
  if (content === undefined || item.status === 'deleted') return [];
  const status = typeof item.status === 'string' ? WORDS[item.status.toLowerCase()] : undefined;
  return [{ content: content.trim(), status: status ?? 'pending' }];
}
