import type { ServerContext } from '../context.ts';

interface Shown {
  name: string;
  title: string;
  description: string;
  /** Plain text is given as it is: it has to be safe, and of a bounded size. */
  mimeType: 'application/json' | 'text/plain' | 'text/markdown';
}

/** Data that a client can show or attach without a tool call. */
export interface Resource extends Shown {
  uri: string;
  read(context: ServerContext): object;
}

/** Resources whose addresses differ in their last part, as in `{id}`. */
export interface ResourceTemplate extends Shown {
  uriTemplate: string;
  /** @throws Ben10Error such as SNAPSHOT_NOT_FOUND */
  read(context: ServerContext, id: string): object | string | Promise<object | string>;
  /** All ids, the likeliest first. */
  ids(context: ServerContext): string[];
  /** The newest and pinned ones, which are listed one by one. */
  list(context: ServerContext): (Shown & { uri: string })[];
}

/** The id in an address; undefined if it is not of this template. */
export function idIn({ uriTemplate }: ResourceTemplate, uri: string): string | undefined {
  const start = uriTemplate.slice(0, uriTemplate.indexOf('{'));
  const id = uri.startsWith(start) ? uri.slice(start.length) : '';
  return /^[\w.-]+$/.test(id) ? id : undefined;
}
