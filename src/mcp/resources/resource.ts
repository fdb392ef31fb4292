import type { ServerContext } from '../context.ts';

/** Something that a client can show or attach without a tool call. */
export interface Resource {
  uri: string;
  name: string;
  title: string;
  description: string;
  mimeType: 'application/json';
  read(context: ServerContext): object;
}
