import type { ServerContext } from './context.ts';
import { promptValues } from './prompts/index.ts';
import { templateValues } from './resources/index.ts';

/** Values of one completion, as the protocol allows. */
const COMPLETED_MAX = 100;

/** What the argument of a prompt, or the part of a template's address, can be, of that which begins with what was typed. */
export function complete(
  ref: { type: string; name?: string; uri?: string },
  argument: { name: string; value: string },
  context: ServerContext,
) {
  const values =
    ref.type === 'ref/prompt'
      ? promptValues(ref.name ?? '', argument.name, context)
      : templateValues(ref.uri ?? '', argument.name, context);
  const typed = argument.value.toLowerCase();
  const fitting = values.filter((value) => begins(value.toLowerCase(), typed));
  return {
    values: fitting.slice(0, COMPLETED_MAX),
    total: fitting.length,
    hasMore: fitting.length > COMPLETED_MAX,
  };
}

/** The sign of a point may be left out. */
const begins = (value: string, typed: string): boolean =>
  value.startsWith(typed) || value.startsWith(`@${typed}`);
