import type { ServerContext } from '../context.ts';

export interface PromptArgument {
  name: string;
  description: string;
  /** What it can be, the likeliest first. */
  values(context: ServerContext): string[];
}

/** Something that a person asks for by name. */
export interface Prompt {
  name: string;
  title: string;
  description: string;
  /** None has to be given. */
  arguments: readonly PromptArgument[];
  /**
   * The message, as the user's.
   * @param args those that were given, and of no other name
   * @throws Ben10Error when there is nothing to give, or an argument is none
   */
  get(args: Readonly<Record<string, string>>, context: ServerContext): string;
}
