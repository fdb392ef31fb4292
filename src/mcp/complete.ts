import type { ServerContext } from './context.ts';
import { promptValues } from './prompts/index.ts';
import { templateValues } from './resources/index.ts';

/** The limit of the protocol. */
const COMPLETED_MAX = 100;

/** Possible values of a prompt's argument, or of a part of a resource template, that begin with what was typed. */
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

/** The @ of a point may be left out. */
const begins = (value: string, typed: string): boolean =>
  value.startsWith(typed) || value.startsWith(`@${typed}`);
