import { fromText, isList } from './environment.ts';
import type { ConfigKey } from './keys.ts';

/**
 * A setting's value as the arguments of a command line have it: of a list one argument for each item, or all of it as
 * JSON. What does not read as its type is left as it is, for the check to say what was expected.
 */
export function fromArguments(key: ConfigKey, args: readonly string[]): unknown {
  const [only] = args;
  if (!isList(key)) return args.length === 1 ? fromText(key, only!) : args;
  const isWhole = key.kind === 'choices' || only?.trimStart().startsWith('[');
  if (args.length === 1 && isWhole) return fromText(key, only!);
  return key.kind === 'patterns' ? args.map(ruleFrom) : [...args];
}

function ruleFrom(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
