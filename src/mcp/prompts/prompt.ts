import type { ServerContext } from '../context.ts';

export interface PromptArgument {
  name: string;
  description: string;
  /** Suggested values, the likeliest first. */
  values(context: ServerContext): string[];
}

export interface Prompt {
  name: string;
  title: string;
  description: string;
  /** All are optional. */
  arguments: readonly PromptArgument[];
  /** The user's message. @throws Ben10Error for an invalid argument, or if there is nothing to say */
  get(args: Readonly<Record<string, string>>, context: ServerContext): string | Promise<string>;
}
