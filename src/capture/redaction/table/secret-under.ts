import { LABEL_RULES } from '../label-rules.ts';
import { WEB_RULES } from '../web-rules.ts';
import { labelledId } from './labelled.ts';

/** How much of a value is judged, characters. */
const JUDGED_CHARS_MAX = 1024;

/** What a value is called as a secret because of its name (`DB_PASSWORD`, `Authorization`); undefined if it is none. */
export function secretUnder(name: string, value: string): string | undefined {
  const judged = value.slice(0, JUDGED_CHARS_MAX);
  const own = (rule: (typeof LABEL_RULES)[number]) => rule.underKey?.(name, judged) === true;
  const labelled = LABEL_RULES.find(own);
  if (labelled !== undefined) return labelledId(name, value) ?? labelled.id;
  return WEB_RULES.find(own)?.id;
}
