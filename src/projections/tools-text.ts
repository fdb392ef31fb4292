/** Reads the client's tool inputs and answers, whose form is not ours and changes. */

import type { Text } from '../events/types.ts';

type Json = Record<string, unknown>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const stringOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** A value that went to a blob is represented by its start. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (isObject(value) && typeof value.$blob === 'string') return stringOf(value.head);
  return undefined;
}

/** Around what a loop adds to the user's task. */
export const LOOP_TAG = 'ben10-iteration';

/** What the user asked for in a prompt, without what a loop added: that is no evidence. */
export function askedIn(value: unknown): string {
  const text = textOf(value) ?? '';
  const from = text.indexOf(`<${LOOP_TAG}>`);
  if (from === -1) return text;
  const end = `</${LOOP_TAG}>`;
  const to = text.lastIndexOf(end);
  return text.slice(0, from) + (to < from ? '' : text.slice(to + end.length));
}

/** A text's size, also of one in a blob. */
export const bytesOf = (text: Text): number =>
  typeof text === 'string' ? Buffer.byteLength(text) : text.bytes;

/** What the model saw of a tool's answer. */
export function answerText(response: unknown): string {
  const plain = textOf(response);
  if (plain !== undefined) return plain;
  if (Array.isArray(response)) return response.map(blockText).filter(Boolean).join('\n');
  if (!isObject(response)) return '';
  const shell = [textOf(response.stdout), textOf(response.stderr)].filter(Boolean).join('\n');
  if (shell !== '') return shell;
  if (Array.isArray(response.content)) return answerText(response.content);
  return textOf(response.content) ?? textOf(response.result) ?? '';
}

const blockText = (block: unknown): string => (isObject(block) ? (textOf(block.text) ?? '') : '');

/** False for a shell command that goes on in the background, or was stopped: it has no exit code. */
export const hasEnded = (response: unknown): boolean =>
  !isObject(response) || (response.backgroundTaskId === undefined && response.interrupted !== true);

/** All lines of a patch's hunks, signs included. */
export const patchLines = (hunks: readonly unknown[]): string[] =>
  hunks
    .flatMap((hunk) => (isObject(hunk) && Array.isArray(hunk.lines) ? hunk.lines : []))
    .map((line) => textOf(line) ?? '');

export function fileOf(input: unknown): string | undefined {
  if (!isObject(input)) return undefined;
  return stringOf(input.file_path) ?? stringOf(input.notebook_path) ?? stringOf(input.path);
}

/** What a call is about stands in one of these; the first that is there tells most. */
const ABOUT_FIELDS = [
  'command',
  'file_path',
  'notebook_path',
  'pattern',
  'url',
  'query',
  'subject',
  'description',
  'prompt',
  'path',
];

/**
 * A short account of a call's input: the command, the file, the pattern, the question; of a task its id and what
 * became of it (`#2 completed`), of a list of todos how far it is (`1 of 3 done, now: Sort by due date`).
 */
export function aboutOf(input: unknown): string {
  if (!isObject(input)) return '';
  if (Array.isArray(input.todos)) return todosText(input.todos.filter(isObject));
  const about = ABOUT_FIELDS.map((key) => textOf(input[key])).find(Boolean) ?? '';
  const task = textOf(input.taskId);
  return task === undefined
    ? about
    : [`#${task}`, textOf(input.status), about].filter(Boolean).join(' ');
}

function todosText(todos: readonly Json[]): string {
  const done = todos.filter(({ status }) => status === 'completed').length;
  const now = textOf(todos.find(({ status }) => status === 'in_progress')?.content);
  return `${done} of ${todos.length} done${now === undefined ? '' : `, now: ${now}`}`;
}

/** Deeper than any tool's input nests. */
const DEPTH_MAX = 4;

export function wordsOf(input: unknown, depth = 0): string {
  const text = textOf(input);
  if (text !== undefined) return text;
  if (depth >= DEPTH_MAX || typeof input !== 'object' || input === null) return '';
  return Object.values(input)
    .map((value) => wordsOf(value, depth + 1))
    .filter(Boolean)
    .join('\n');
}

/** Tools of ben10's own server: recorded, never evidence. */
export const isOwnTool = (name: string): boolean => OWN_NAME.test(name);

/** `/mcp__ben10__resume`: the client offers the server's prompts as commands. They are ben10's words, not the user's. */
export const isOwnCommand = (typed: string): boolean =>
  typed.startsWith('/') && OWN_NAME.test(typed.slice(1));

const OWN_NAME = /^mcp__(?:plugin_[^_]+_)?ben10__/;
