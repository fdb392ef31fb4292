import { hash } from 'node:crypto';
import * as z from 'zod';
import { Ben10Error } from '../platform/errors.ts';

/** A cursor holds a tool's arguments and a number; no sound one is longer. */
const CURSOR_CHARS_MAX = 4_000;

/** Characters of the digest by which a mistyped cursor is told. */
const CHECK_CHARS = 8;

const checkOf = (body: string): string => hash('sha256', body, 'base64url').slice(0, CHECK_CHARS);

/**
 * Where the next page of an answer starts, as text that means nothing to the client. It carries the call's arguments,
 * so that a page can be asked for by its cursor alone.
 */
export function encodeCursor(tool: string, args: object, position: number): string {
  const body = Buffer.from(JSON.stringify([tool, position, args])).toString('base64url');
  return `${body}.${checkOf(body)}`;
}

/** What a tool takes that answers in pages, besides its own arguments: the answer's `nextCursor` says what it is. */
export const PAGED = {
  cursor: z.string().optional(),
};

/**
 * A tool's own arguments and where its page starts: of the cursor, when there is one.
 * @param schema of its own arguments
 * @throws as `decodeCursor`
 */
export function pageAsked<S extends z.ZodObject>(
  tool: string,
  schema: S,
  { cursor, ...first }: z.infer<S> & { cursor?: string | undefined },
): { args: z.infer<S>; position: number } {
  if (cursor !== undefined) return decodeCursor(tool, cursor, schema);
  return { args: first as z.infer<S>, position: 0 };
}

/**
 * @param schema what the arguments in it must look like: a cursor comes from outside
 * @throws Ben10Error USAGE when it is none of this tool's
 */
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
  new Ben10Error('USAGE', 'this cursor is not one that this tool gave', {
    next: `Call ${tool} again without cursor, and use nextCursor of its answer as it stands.`,
  });
