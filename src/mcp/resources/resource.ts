import type { ServerContext } from '../context.ts';

interface Shown {
  name: string;
  title: string;
  description: string;
  mimeType: 'application/json';
}

/** Something that a client can show or attach without a tool call. */
export interface Resource extends Shown {
  uri: string;
  read(context: ServerContext): object;
}

/** Resources of one kind, whose addresses differ in one part: `{id}`. */
export interface ResourceTemplate extends Shown {
  uriTemplate: string;
  /** @throws Ben10Error SNAPSHOT_NOT_FOUND and the like when there is none of that id */
  read(context: ServerContext, id: string): object;
  /** The ids that there are, the likeliest first. */
  ids(context: ServerContext): string[];
  /** The newest of them and those that were pinned, which are listed one by one. */
  list(context: ServerContext): (Shown & { uri: string })[];
}

/** The id in an address of a template; undefined when it is no address of it. */
export function idIn({ uriTemplate }: ResourceTemplate, uri: string): string | undefined {
  const start = uriTemplate.slice(0, uriTemplate.indexOf('{'));
  const id = uri.startsWith(start) ? uri.slice(start.length) : '';
  return /^[\w.-]+$/.test(id) ? id : undefined;
}
