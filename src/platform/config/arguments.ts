import { fromText, isList } from './environment.ts';
import type { ConfigKey } from './keys.ts';

/** A setting's value from a command line: a list is one argument for each item, or JSON. What does not parse stays text. */
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
