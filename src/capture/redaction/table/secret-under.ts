import { WEB_RULES } from '../web-rules.ts';
import { secretWithLabel } from './labels.ts';

/** How much of a value is judged, characters. */
const JUDGED_CHARS_MAX = 1024;

/** What a value is called as a secret because of its name (`DB_PASSWORD`, `Authorization`); undefined if it is none. */
export function secretUnder(name: string, value: string): string | undefined {
  const labelled = secretWithLabel(name, value);
  if (labelled !== undefined) return labelled;
  const judged = value.slice(0, JUDGED_CHARS_MAX);
  return WEB_RULES.find(({ underKey }) => underKey?.(name, judged) === true)?.id;
}
