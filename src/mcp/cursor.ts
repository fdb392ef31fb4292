import { hash } from 'node:crypto';
import * as z from 'zod';
import { Ben10Error } from '../platform/errors.ts';

const CURSOR_CHARS_MAX = 4_000;

/** Of a digest that detects mistyped cursors. */
const CHECK_CHARS = 8;

const checkOf = (body: string): string => hash('sha256', body, 'base64url').slice(0, CHECK_CHARS);

/** An opaque text with the start of the next page and the call's arguments, so that the cursor alone is enough. */
export function encodeCursor(tool: string, args: object, position: number): string {
  const body = Buffer.from(JSON.stringify([tool, position, args])).toString('base64url');
  return `${body}.${checkOf(body)}`;
}

/** The argument of tools that answer in pages: `nextCursor` of the previous answer. */
export const PAGED = { cursor: z.string().optional() };

/**
 * A tool's own arguments and the start of its page, from the cursor if there is one.
 * @param schema of its own arguments; a cursor comes from outside
 * @throws Ben10Error USAGE for an invalid cursor
 */
export function pageAsked<S extends z.ZodObject>(
  tool: string,
  schema: S,
  { cursor, ...own }: z.infer<S> & { cursor?: string | undefined },
  first = 0,
): { args: z.infer<S>; position: number } {
  if (cursor !== undefined) return decodeCursor(tool, cursor, schema);
  return { args: own as z.infer<S>, position: first };
}

/** @throws Ben10Error USAGE unless it is a cursor of this tool */
export function decodeCursor<S extends z.ZodObject>(
  tool: string,
  text: string,
  schema: S,
): { args: z.infer<S>; position: number } {
  const dot = text.lastIndexOf('.');
  const body = text.slice(0, Math.max(dot, 0));
  if (text.length > CURSOR_CHARS_MAX || text.slice(dot + 1) !== checkOf(body))
    throw badCursor(tool);
  let content: unknown;
  try {
    content = JSON.parse(Buffer.from(body, 'base64url').toString('utf8'));
  } catch {
    throw badCursor(tool);
  }
  const [name, position, args] = Array.isArray(content) ? (content as unknown[]) : [];
  const parsed = schema.safeParse(args);
  const isPosition = Number.isSafeInteger(position) && (position as number) >= 0;
  if (name !== tool || !isPosition || !parsed.success) throw badCursor(tool);
  return { args: parsed.data, position: position as number };
}

const badCursor = (tool: string): Ben10Error =>
  new Ben10Error('USAGE', 'this cursor is not from this tool', {
    next: `Call ${tool} again without cursor, then use nextCursor of its answer unchanged.`,
  });
