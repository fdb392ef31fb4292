import {
  onlyRule,
  type RedactionOptions,
  redactText,
  redactValue,
  ruleIds,
} from '../capture/redaction/index.ts';
import { nearName } from '../platform/config/nearest.ts';
import { Ben10Error } from '../platform/errors.ts';
import type { Finder } from './finder.ts';

/**
 * Finds what one redaction rule finds now.
 * @throws Ben10Error USAGE with the nearest id when there is no such rule
 */
export function ruleFinder(id: string, all: RedactionOptions): Finder {
  const options = onlyRule(id.toUpperCase(), all);
  if (options === undefined) throw noRule(id, all);
  const withoutIt = (text: string) => redactText(text, options).text;
  const dataWithoutIt = (data: unknown) => redactValue(data, options).value;
  return {
    withoutIt,
    isIn(bytes) {
      const text = bytes.toString('utf8');
      return withoutIt(text) !== text;
    },
    dataWithoutIt,
    // What is left of a token that was cut is none to a rule.
    stateWithoutIt: dataWithoutIt,
  };
}

function noRule(id: string, all: RedactionOptions): Ben10Error {
  const ids = ruleIds(all);
  const near = nearName(id.toUpperCase(), ids);
  const hint = near === undefined ? '' : `; the nearest is ${near}`;
  return new Ben10Error('USAGE', `there is no redaction rule of that id${hint}`, {
    next: `There are ${ids.length}, for example ${ids.slice(0, 5).join(', ')}`,
  });
}
