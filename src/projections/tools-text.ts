/** Reading the client's tool inputs and answers: what is in them is the client's business and changes. */

import type { Text } from '../events/types.ts';

type Json = Record<string, unknown>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const stringOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** A stored value may have gone to a blob: then its head stands for it. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (isObject(value) && typeof value.$blob === 'string') return stringOf(value.head);
  return undefined;
}

/** Of a text, wherever it is kept. */
export const bytesOf = (text: Text): number =>
  typeof text === 'string' ? Buffer.byteLength(text) : text.bytes;

/** What the model saw of a tool's answer, as far as its structure tells. */
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

/** The file that a tool call is about. */
export function fileOf(input: unknown): string | undefined {
  if (!isObject(input)) return undefined;
  return stringOf(input.file_path) ?? stringOf(input.notebook_path) ?? stringOf(input.path);
}

/** A short account of a call's input: the command, the file, the pattern, the question. */
export function aboutOf(input: unknown): string {
  if (!isObject(input)) return '';
  for (const key of [
    'command',
    'file_path',
    'notebook_path',
    'pattern',
    'url',
    'query',
    'description',
    'subject',
    'prompt',
    'path',
  ]) {
    const text = textOf(input[key]);
    if (text !== undefined && text !== '') return text;
  }
  return '';
}

/** Tools of ben10's own server: recorded, never evidence. */
export const isOwnTool = (name: string): boolean => /^mcp__(?:plugin_[^_]+_)?ben10__/.test(name);
