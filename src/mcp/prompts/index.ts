import { Ben10Error } from '../../platform/errors.ts';
import { takeInbox } from '../../project/inbox.ts';
import { cleanText } from '../../projections/safe-text.ts';
import type { ServerContext } from '../context.ts';
import type { Prompt } from './prompt.ts';

export const promptList = (prompts: readonly Prompt[]) =>
  prompts.map(({ name, title, description, arguments: args }) => ({
    name,
    title,
    description,
    arguments: args.map((one) => ({ name: one.name, description: one.description })),
  }));

/** @throws Ben10Error USAGE for an unknown name or argument, and what the prompt throws */
export async function getPrompt(
  name: string,
  args: Readonly<Record<string, string>>,
  context: ServerContext,
) {
  const { prompts } = context.offer;
  const prompt = prompts.find((one) => one.name === name);
  if (prompt === undefined) {
    throw new Ben10Error('USAGE', `there is no prompt "${cleanText(name).slice(0, 80)}"`, {
      next: `There are: ${prompts.map((one) => one.name).join(', ')}`,
    });
  }
  takeInbox(context.project);
  const names = prompt.arguments.map((one) => one.name);
  const unknown = Object.keys(args).find((one) => !names.includes(one));
  if (unknown !== undefined) {
    const what = `${name} takes no "${cleanText(unknown).slice(0, 80)}"`;
    throw new Ben10Error('USAGE', what, { next: `It takes: ${names.join(', ')}` });
  }
  // A client sends omitted arguments as ''.
  const given = Object.fromEntries(
    Object.entries(args).flatMap(([key, value]) =>
      value.trim() === '' ? [] : [[key, value.trim()]],
    ),
  );
  const text = await prompt.get(given, context);
  const { description } = prompt;
  return {
    description,
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
  };
}

export const promptValues = (name: string, argument: string, context: ServerContext): string[] =>
  context.offer.prompts
    .find((one) => one.name === name)
    ?.arguments.find((one) => one.name === argument)
    ?.values(context) ?? [];
